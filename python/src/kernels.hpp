#pragma once

#include <pybind11/pybind11.h>

#include "gnomon/select/choices.hpp"

namespace gnomon::python {

/// A kernel that Python brings: a function of two rows, or its matrix at the training rows, which are then told apart by
/// their number, the only input.
KernelChoice own_kernel(const pybind11::object& kernel);

}  // namespace gnomon::python
