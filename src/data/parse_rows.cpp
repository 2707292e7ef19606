#include <algorithm>
#include <cmath>
#include <limits>

#include "cell.hpp"
#include "core/fresh_matrix.hpp"
#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "number.hpp"
#include "rows.hpp"

namespace gnomon::detail {
namespace {

enum class Wanted : char { number, forced_number, skip };

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Parses the numbers of one chunk into the columns of the matrix. Nothing is thrown here: the first trouble
/// of the first chunk that has any is the one to report, whatever the threads do.
class ChunkParser {
 public:
  ChunkParser(const Layout& layout, const std::vector<Wanted>& wanted) : layout_(layout), wanted_(wanted) {}

  std::string trouble;
  std::vector<char> not_a_number;           // per column: a cell was text
  std::vector<Table::LineJump> line_jumps;  // first row of the chunk, and every irregular one

  void parse(const Chunk& chunk, Matrix& numbers) {
    const auto width = numbers.cols();
    const Index tile_rows = std::clamp<Index>(32768 / std::max<Index>(width, 1), 8, 64);
    std::vector<double> tile(static_cast<std::size_t>(tile_rows * width));
    not_a_number.assign(wanted_.size(), 0);
    p_ = chunk.text.data();
    end_ = p_ + chunk.text.size();
    line_ = chunk.first_line;
    Index expected_line = -1;
    for (Index row = 0; row < chunk.rows;) {
      const Index filled = std::min(tile_rows, chunk.rows - row);
      for (Index r = 0; r < filled; ++r) {
        skip_blank_lines();
        row_line_ = line_;
        if (row_line_ != expected_line) line_jumps.push_back({chunk.first_row + row + r, row_line_});
        expected_line = row_line_ + 1;
        if (!parse_row(tile.data() + r * width)) return;
      }
      for (Index c = 0; c < width; ++c) {
        double* const column = numbers.data() + c * numbers.rows() + chunk.first_row + row;
        for (Index r = 0; r < filled; ++r) column[r] = tile[static_cast<std::size_t>(r * width + c)];
      }
      row += filled;
    }
  }

 private:
  void skip_blank_lines() {
    const char* next = nullptr;
    while (p_ < end_ && blank_line(p_, end_, next)) {
      p_ = next;
      ++line_;
    }
  }

  bool parse_row(double* out) {
    const std::size_t columns = wanted_.size();
    const Wanted* const wanted = wanted_.data();
    const char delimiter = layout_.delimiter;
    const char *p = p_, *const end = end_;
    for (std::size_t c = 0; c < columns; ++c) {
      bool row_over = false;
      const char* next = nullptr;
      double value;
      if (wanted[c] != Wanted::skip) {
        const char* const after = parse_decimal(p, end, value);
        if (after && std::isfinite(value)) {
          const bool simple = after < end && *after == delimiter && delimiter != ' ';
          next = simple ? after + 1 : step(after, end, delimiter, row_over);
        }
      }
      if (!next && !(next = parse_unusual(p, c, value, row_over))) return false;
      if (wanted[c] != Wanted::skip) *out++ = value;
      p = next;
      if (row_over != (c + 1 == columns)) return ragged(p, c + 1, row_over);
    }
    p_ = p;
    ++line_;
    return true;
  }

  /// Any cell: quoted, missing, infinite, text. nullptr: trouble.
  const char* parse_unusual(const char* p, std::size_t c, double& value, bool& row_over) {
    const Cell cell = read_cell(p, end_, layout_.delimiter);
    if (cell.malformed) {
      trouble = fmt::format(
          "{}: row {}, column '{}': text after the closing quote; write a quote inside a quoted "
          "cell twice",
          layout_.source, row_line_, layout_.names[c]);
      return nullptr;
    }
    line_ += std::count(cell.text.begin(), cell.text.end(), '\n');
    if (wanted_[c] != Wanted::skip) {
      const std::string_view text = unescaped(cell, buffer_);
      if (classify(text, value) == CellKind::text) {
        const auto truth = truth_value(text);
        if (wanted_[c] != Wanted::forced_number) {
          not_a_number[c] = 1;
        } else if (truth) {
          value = *truth;
        } else {
          trouble = fmt::format("{}: row {}, column '{}': '{}' is not a number", layout_.source, row_line_,
                                layout_.names[c], shortened(text));
          return nullptr;
        }
      }
    }
    return step(cell.after, end_, layout_.delimiter, row_over);
  }

  bool ragged(const char* p, std::size_t found, bool row_over) {
    while (!row_over) {
      const Cell cell = read_cell(p, end_, layout_.delimiter);
      p = cell.malformed ? end_ : step(cell.after, end_, layout_.delimiter, row_over);
      row_over = row_over || cell.malformed;
      ++found;
    }
    trouble =
        fmt::format("{}: row {} has {} {}, but the header has {}; {}", layout_.source, row_line_, found,
                    found == 1 ? "cell" : "cells", wanted_.size(),
                    found < wanted_.size() ? "add what is missing, empty cells too"
                                           : "quote cells that contain the separator, or take out the rest");
    return false;
  }

  const Layout& layout_;
  const std::vector<Wanted>& wanted_;
  std::string buffer_;
  const char *p_ = nullptr, *end_ = nullptr;
  Index line_ = 0, row_line_ = 0;
};

/// Columns that look like text in the first rows get no place in the matrix. A wrong guess costs time, not
/// truth.
void guess_text(const Chunk& first, const Layout& layout, std::vector<Wanted>& wanted) {
  constexpr Index looked_at = 100;
  Chunk beginning = first;
  beginning.rows = std::min(first.rows, looked_at);
  beginning.first_row = 0;
  std::vector<Wanted> plain = wanted;
  std::replace(plain.begin(), plain.end(), Wanted::forced_number, Wanted::number);
  Matrix numbers(beginning.rows, std::count(plain.begin(), plain.end(), Wanted::number));
  ChunkParser parser(layout, plain);
  parser.parse(beginning, numbers);
  for (std::size_t c = 0; c < wanted.size(); ++c)
    if (parser.not_a_number[c] && wanted[c] == Wanted::number) wanted[c] = Wanted::skip;
}

/// Removes the columns whose flag is set, in place.
void drop_columns(Matrix& matrix, const std::vector<char>& drop) {
  Index kept = 0;
  for (Index c = 0; c < matrix.cols(); ++c) {
    if (drop[static_cast<std::size_t>(c)]) continue;
    if (kept != c) matrix.col(kept) = matrix.col(c);
    ++kept;
  }
  if (kept < matrix.cols()) matrix.conservativeResize(Eigen::NoChange, kept);
}

}  // namespace

Table parse_rows(std::string_view text, Index first_line, const Layout& layout, const CsvOptions& options,
                 const Release& release) {
  const auto chunks = cut_rows(text, first_line, layout, release);
  const Index rows = chunks.empty() ? 0 : chunks.back().first_row + chunks.back().rows;
  require(rows > 0, "{}: has a header but no rows of data; add some", layout.source);

  const std::size_t columns = layout.names.size();
  std::vector<Wanted> wanted(columns, Wanted::number);
  for (std::size_t c = 0; c < columns; ++c) {
    if (contains(options.text_columns, layout.names[c])) wanted[c] = Wanted::skip;
    if (contains(options.numeric_columns, layout.names[c])) wanted[c] = Wanted::forced_number;
  }
  guess_text(chunks.front(), layout, wanted);

  Table table;
  table.source = layout.source;
  table.numbers = fresh_matrix(
      rows, static_cast<Index>(columns) - std::count(wanted.begin(), wanted.end(), Wanted::skip));
  std::vector<ChunkParser> parsers(chunks.size(), ChunkParser(layout, wanted));
  parallel_for(static_cast<Index>(chunks.size()), [&](Index i) {
    const auto k = static_cast<std::size_t>(i);
    parsers[k].parse(chunks[k], table.numbers);
    if (release) release(chunks[k].text);
  });

  std::vector<char> drop;
  for (std::size_t c = 0; c < columns; ++c)
    if (wanted[c] != Wanted::skip) {
      drop.push_back(std::any_of(parsers.begin(), parsers.end(), [&](const ChunkParser& parser) {
        return c < parser.not_a_number.size() && parser.not_a_number[c];
      }));
      if (drop.back()) wanted[c] = Wanted::skip;
    }
  for (const auto& parser : parsers) {
    if (!parser.trouble.empty()) throw Error(parser.trouble);
    for (const auto& jump : parser.line_jumps)
      if (table.line(jump.row) != jump.line) table.line_jumps.push_back(jump);
  }
  drop_columns(table.numbers, drop);

  std::vector<std::size_t> text_columns;
  for (std::size_t c = 0; c < columns; ++c) {
    const bool numeric = wanted[c] != Wanted::skip;
    const auto index =
        numeric ? static_cast<Index>(c - text_columns.size()) : static_cast<Index>(text_columns.size());
    table.columns.push_back({layout.names[c], numeric, index});
    if (!numeric) text_columns.push_back(c);
  }
  if (!text_columns.empty()) table.texts = code_text(chunks, text_columns, layout, release);
  return table;
}

}  // namespace gnomon::detail
