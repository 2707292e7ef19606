#include "rows.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

#include "call.hpp"
#include "gnomon/core/error.hpp"
#include "modules.hpp"

namespace gnomon::python {
namespace {

template <class Real>
void copy_column(const std::byte* from, py::ssize_t stride, Eigen::Ref<Vector> to) {
  for (Index i = 0; i < to.size(); ++i) to[i] = *reinterpret_cast<const Real*>(from + i * stride);
}

/// Bit by bit in the order of memory, so that large arrays go through once.
template <class Bits>
std::uint64_t mixed(std::uint64_t seed, const std::byte* from, std::array<py::ssize_t, 2> count,
                    std::array<py::ssize_t, 2> stride) {
  if (std::abs(stride[0]) < std::abs(stride[1]))
    std::swap(count[0], count[1]), std::swap(stride[0], stride[1]);
  for (py::ssize_t i = 0; i < count[0]; ++i) {
    for (py::ssize_t j = 0; j < count[1]; ++j)
      seed = (seed ^ *reinterpret_cast<const Bits*>(from + i * stride[0] + j * stride[1])) * 0x100000001b3u;
  }
  return seed;
}

/// Where levels go once they are sorted and those without a row are left out: per old position the new one.
std::vector<int> sort_levels(std::vector<std::string>& levels, const std::vector<int>& codes) {
  std::vector<bool> used(levels.size(), false);
  for (const int code : codes)
    if (code >= 0) used[static_cast<std::size_t>(code)] = true;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (used[i]) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return levels[a] < levels[b]; });
  std::vector<int> position(levels.size(), -1);
  std::vector<std::string> sorted;
  for (const std::size_t i : order) {
    if (sorted.empty() || sorted.back() != levels[i]) sorted.push_back(levels[i]);
    position[i] = static_cast<int>(sorted.size()) - 1;
  }
  levels = std::move(sorted);
  return position;
}

TextColumn text_column(const std::vector<std::string>& levels, const std::vector<int>& codes, Index first,
                       Index last) {
  TextColumn column{.levels = levels, .codes = {codes.begin() + first, codes.begin() + last}};
  for (std::size_t i = 0; i < column.codes.size(); ++i) {
    if (column.codes[i] < 0) continue;
    if (column.text_cells++ == 0) column.first_text_row = static_cast<Index>(i);
  }
  return column;
}

}  // namespace

void Rows::expect_rows(py::ssize_t rows) {
  require(rows_ < 0 || rows_ == rows, "{}: columns of {} and of {} rows cannot go together", source_, rows_,
          rows);
  rows_ = rows;
}

void Rows::add_numbers(std::vector<std::string> names, const py::array& values) {
  const bool wide = py::isinstance<py::array_t<double>>(values);
  require(wide || py::isinstance<py::array_t<float>>(values), "{}: numbers must be float64 or float32",
          source_);
  require(values.ndim() == 1 || values.ndim() == 2, "{}: numbers must be a vector or a matrix", source_);
  const py::ssize_t columns = values.ndim() == 2 ? values.shape(1) : 1;
  require(columns == static_cast<py::ssize_t>(names.size()), "{}: {} names for {} columns", source_,
          names.size(), columns);
  expect_rows(values.shape(0));
  parts_.emplace_back(Numbers{std::move(names), shared(values), static_cast<const std::byte*>(values.data()),
                              values.strides(0), values.ndim() == 2 ? values.strides(1) : 0, wide});
}

void Rows::add_texts(std::string name,
                     py::array_t<std::int32_t, py::array::c_style | py::array::forcecast> codes,
                     std::vector<std::string> levels) {
  require(codes.ndim() == 1, "{}: the codes of column '{}' must be a vector", source_, name);
  expect_rows(codes.shape(0));
  std::vector<int> own(codes.data(), codes.data() + codes.size());
  for (const int code : own)
    require(code < static_cast<int>(levels.size()), "{}: column '{}' has the code {} for {} levels", source_,
            name, code, levels.size());
  const std::vector<int> position = sort_levels(levels, own);
  for (int& code : own) code = code < 0 ? -1 : position[static_cast<std::size_t>(code)];
  parts_.emplace_back(Texts{std::move(name), std::move(levels), std::move(own)});
}

std::vector<std::string> Rows::names() const {
  std::vector<std::string> all;
  for (const auto& part : parts_) {
    if (const auto* numbers = std::get_if<Numbers>(&part))
      all.insert(all.end(), numbers->names.begin(), numbers->names.end());
    else
      all.push_back(std::get<Texts>(part).name);
  }
  return all;
}

std::uint64_t Rows::fingerprint() const {
  std::uint64_t print = 0xcbf29ce484222325u;
  for (const auto& part : parts_) {
    const auto* numbers = std::get_if<Numbers>(&part);  // texts are copies of our own
    if (!numbers) continue;
    print = (numbers->wide ? mixed<std::uint64_t>
                           : mixed<std::uint32_t>)(print, numbers->data,
                                                   {rows_, static_cast<py::ssize_t>(numbers->names.size())},
                                                   {numbers->row_stride, numbers->column_stride});
  }
  return print;
}

Table Rows::table() const { return table(0, std::max<Index>(rows_, 0)); }

Table Rows::table(Index first, Index last) const {
  Table table;
  table.source = source_;
  table.line_jumps = {{0, first}};
  Index columns = 0;
  for (const auto& part : parts_)
    if (const auto* numbers = std::get_if<Numbers>(&part))
      columns += static_cast<Index>(numbers->names.size());
  table.numbers.resize(last - first, columns);
  Index at = 0;
  for (const auto& part : parts_) {
    if (const auto* texts = std::get_if<Texts>(&part)) {
      table.columns.push_back({texts->name, false, static_cast<Index>(table.texts.size())});
      table.texts.push_back(text_column(texts->levels, texts->codes, first, last));
      continue;
    }
    const auto& numbers = std::get<Numbers>(part);
    for (std::size_t j = 0; j < numbers.names.size(); ++j, ++at) {
      table.columns.push_back({numbers.names[j], true, at});
      const std::byte* from =
          numbers.data + first * numbers.row_stride + static_cast<py::ssize_t>(j) * numbers.column_stride;
      if (numbers.wide)
        copy_column<double>(from, numbers.row_stride, table.numbers.col(at));
      else
        copy_column<float>(from, numbers.row_stride, table.numbers.col(at));
    }
  }
  return table;
}

void bind_rows(py::module_& module) {
  py::class_<Rows, SharedRows>(module, "Rows", "Rows of columns by name, read where they lie.")
      .def(py::init<std::string>(), py::arg("source"))
      .def("add_numbers", &Rows::add_numbers, py::arg("names"), py::arg("values"),
           "Columns of float64 or float32; NaN is a missing cell.")
      .def("add_texts", &Rows::add_texts, py::arg("name"), py::arg("codes"), py::arg("levels"),
           "A column of texts: positions in levels, negative where the cell is missing.")
      .def("add_stream", &Rows::add_stream, py::arg("frame"),
           "All columns of an object with __arrow_c_stream__: polars, pyarrow, duckdb, pandas.")
      .def("fingerprint", &Rows::fingerprint, py::call_guard<py::gil_scoped_release>(),
           "A number that tells whether the arrays have changed since.")
      .def_property_readonly("names", &Rows::names)
      .def("__len__", &Rows::rows);
}

}  // namespace gnomon::python
