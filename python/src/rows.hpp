#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "gnomon/data/table.hpp"

namespace gnomon::python {

namespace py = pybind11;

/// Rows on their way from Python into a table: arrays are kept as they are, in any layout, and copied at most once,
/// into the table itself.
class Rows {
 public:
  /// `source` is what messages call them.
  explicit Rows(std::string source) : source_(std::move(source)) {}

  /// Columns of numbers: a matrix of float64 or float32, or a vector. NaN is a missing cell.
  void add_numbers(std::vector<std::string> names, const py::array& values);
  /// A column of texts: per row a position in `levels`, negative where the cell is missing.
  void add_texts(std::string name, py::array_t<std::int32_t, py::array::c_style | py::array::forcecast> codes,
                 std::vector<std::string> levels);
  /// All columns of a table that another library holds in Arrow's memory (`__arrow_c_stream__`).
  void add_stream(const py::object& frame);

  std::vector<std::string> names() const;
  py::ssize_t rows() const { return rows_; }

  /// A number that tells whether somebody wrote to the arrays since. Needs no interpreter.
  std::uint64_t fingerprint() const;

  /// The table, rows counted from 0 as Python does. Needs no interpreter.
  Table table() const;
  /// The same of the rows first ≤ i < last.
  Table table(Index first, Index last) const;

  /// Whether all columns are numbers, so that the next two can be asked for.
  bool all_numbers() const;
  /// The table of some columns, by their places among the names.
  Table table_of(const std::vector<Index>& columns) const;
  /// Some columns of as many rows as `to` has, from `first` on.
  void read(Index first, const std::vector<Index>& columns, Eigen::Ref<Matrix> to) const;

 private:
  struct Numbers {
    std::vector<std::string> names;
    std::shared_ptr<py::object> kept;  // keeps the memory alive
    const std::byte* data;
    py::ssize_t row_stride, column_stride;
    bool wide;  // float64

    /// Some columns of as many rows as `to` has, from `first` on.
    void copy(Index first, const std::vector<Index>& columns, Eigen::Ref<Matrix> to) const;
  };
  struct Texts {
    std::string name;
    std::vector<std::string> levels;  // sorted, without repeats
    std::vector<int> codes;
  };
  void expect_rows(py::ssize_t rows);

  std::string source_;
  py::ssize_t rows_ = -1;
  std::vector<std::variant<Numbers, Texts>> parts_;
};

/// Rows that outlive Python's interest in them while somebody still reads.
using SharedRows = std::shared_ptr<Rows>;

}  // namespace gnomon::python
