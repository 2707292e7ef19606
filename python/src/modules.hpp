#pragma once

#include <pybind11/pybind11.h>

namespace gnomon::python {

// One file each.
void bind_rows(pybind11::module_& module);
void bind_model(pybind11::module_& module);
void bind_study(pybind11::module_& module);
void bind_ratio(pybind11::module_& module);
void bind_options(pybind11::module_& module);
void bind_estimate(pybind11::module_& module);
void bind_compare(pybind11::module_& module);
void bind_reproduce(pybind11::module_& module);

}  // namespace gnomon::python
