#include <pybind11/pybind11.h>

#include "call.hpp"
#include "flags.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/version.hpp"
#include "modules.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() =
      "What gnomon's estimators are made of. Its names may change; those of the package gnomon do not.";
  pybind11::register_local_exception_translator([](std::exception_ptr raised) {
    try {
      if (raised) std::rethrow_exception(raised);
    } catch (const gnomon::Error& error) {
      const auto keyword = [](std::string_view field) { return std::string(field); };
      PyErr_SetString(PyExc_ValueError, gnomon::app::spoken(error.what(), keyword).c_str());
    }
  });
  gnomon::python::bind_rows(module);
  gnomon::python::bind_model(module);
  gnomon::python::bind_study(module);
  gnomon::python::bind_ratio(module);
  gnomon::python::bind_options(module);
  gnomon::python::bind_estimate(module);
  gnomon::python::bind_compare(module);
  gnomon::python::bind_reproduce(module);
  gnomon::python::wait_at_exit();
  module.def("version", &gnomon::version, "The version of gnomon.");
  module.def("blas_core", &gnomon::blas_core_name, "Which kernels OpenBLAS chose.");
}
