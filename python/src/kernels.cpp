#include "kernels.hpp"

#include <pybind11/numpy.h>

#include <memory>
#include <span>

#include "call.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::python {
namespace {

py::array row_array(std::span<const double> row) {
  return py::array_t<double>(static_cast<py::ssize_t>(row.size()), row.data());
}

struct FunctionOfRows {
  std::string name;
  std::shared_ptr<py::object> function;

  double operator()(std::span<const double> a, std::span<const double> b) const {
    const py::gil_scoped_acquire interpreter;
    const py::object value = (*function)(row_array(a), row_array(b));
    try {
      return value.cast<double>();
    } catch (const py::cast_error&) {
      throw py::type_error("kernel '" + name + "' must give a number, not " +
                           std::string(py::str(py::type::of(value).attr("__name__"))));
    }
  }
};

/// k(i, j) from a table; rows hold their number.
struct MatrixOfRows {
  std::string name = "precomputed";
  std::shared_ptr<py::object> kept;
  const double* data;
  Index rows, row_stride, column_stride;

  double operator()(std::span<const double> a, std::span<const double> b) const {
    const auto i = static_cast<Index>(a[0]), j = static_cast<Index>(b[0]);
    if (i < 0 || j < 0 || i >= rows || j >= rows) return undefined;
    return data[i * row_stride + j * column_stride];
  }
};

std::string name_of(const py::object& function) {
  return py::hasattr(function, "__name__") ? py::str(function.attr("__name__"))
                                           : py::str(py::type::of(function).attr("__name__"));
}

}  // namespace

KernelChoice own_kernel(const py::object& kernel) {
  if (!py::isinstance<py::array>(kernel)) return FunctionOfRows{name_of(kernel), shared(kernel)};
  const auto matrix = py::cast<py::array_t<double>>(kernel);
  require(matrix.ndim() == 2 && matrix.shape(0) == matrix.shape(1),
          "a precomputed kernel is a square matrix, rows x rows");
  constexpr auto size = static_cast<py::ssize_t>(sizeof(double));
  return MatrixOfRows{.kept = shared(matrix),
                      .data = matrix.data(),
                      .rows = matrix.shape(0),
                      .row_stride = matrix.strides(0) / size,
                      .column_stride = matrix.strides(1) / size};
}

}  // namespace gnomon::python
