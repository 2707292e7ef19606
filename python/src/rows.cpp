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

/// Columns from `offset` on, each given in bytes from `from`. A few rows at a time, so that neighbours in a row are read together.
template <class Real>
void copy_columns(const std::byte* from, py::ssize_t row_stride, const std::vector<py::ssize_t>& offset,
                  Eigen::Ref<Matrix> to) {
  constexpr Index rows_at_once = 64;
  for (Index first = 0; first < to.rows(); first += rows_at_once) {
    const Index last = std::min(to.rows(), first + rows_at_once);
    for (std::size_t j = 0; j < offset.size(); ++j) {
      double* const column = to.col(static_cast<Index>(j)).data();
      for (Index i = first; i < last; ++i)
        column[i] = *reinterpret_cast<const Real*>(from + i * row_stride + offset[j]);
    }
  }
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
    std::vector<Index> places;
    for (std::size_t j = 0; j < numbers.names.size(); ++j) {
      table.columns.push_back({numbers.names[j], true, at + static_cast<Index>(j)});
      places.push_back(static_cast<Index>(j));
    }
    numbers.copy(first, places, table.numbers.middleCols(at, static_cast<Index>(places.size())));
    at += static_cast<Index>(places.size());
  }
  return table;
}

bool Rows::all_numbers() const {
  return std::all_of(parts_.begin(), parts_.end(),
                     [](const auto& part) { return std::holds_alternative<Numbers>(part); });
}

void Rows::Numbers::copy(Index first, const std::vector<Index>& columns, Eigen::Ref<Matrix> to) const {
  std::vector<py::ssize_t> offset;
  for (const Index j : columns) offset.push_back(j * column_stride);
  (wide ? copy_columns<double> : copy_columns<float>)(data + first * row_stride, row_stride, offset, to);
}

Table Rows::table_of(const std::vector<Index>& columns) const {
  const std::vector<std::string> all = names();
  Table table;
  table.source = source_;
  table.line_jumps = {{0, 0}};
  table.numbers.resize(std::max<Index>(rows_, 0), static_cast<Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    table.columns.push_back({all[static_cast<std::size_t>(columns[k])], true, static_cast<Index>(k)});
  read(0, columns, table.numbers);
  return table;
}

void Rows::read(Index first, const std::vector<Index>& columns, Eigen::Ref<Matrix> to) const {
  Index before = 0;  // columns of earlier parts
  for (const auto& part : parts_) {
    const auto& numbers = std::get<Numbers>(part);
    const auto own = static_cast<Index>(numbers.names.size());
    const auto is_own = [&](Index column) { return column >= before && column < before + own; };
    // Runs of columns of this part; those of X follow each other.
    for (std::size_t k = 0; k < columns.size();) {
      std::size_t end = k;
      std::vector<Index> run;
      while (end < columns.size() && is_own(columns[end])) run.push_back(columns[end++] - before);
      if (!run.empty())
        numbers.copy(first, run, to.middleCols(static_cast<Index>(k), static_cast<Index>(run.size())));
      k = std::max(end, k + 1);
    }
    before += own;
  }
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
