#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// A column in file order: column `index` of Table::numbers, or entry `index` of Table::texts.
struct Column {
  std::string name;
  bool numeric = true;
  Index index = 0;
};

/// A column with at least one cell that is not a number, dictionary coded.
struct TextColumn {
  std::vector<std::string> levels;  // sorted, without repeats
  std::vector<int> codes;           // per row a position in `levels`, −1 = missing
  Index numeric_cells = 0;          // cells that would have been numbers
  Index text_cells = 0;             // cells that would not
  Index first_text_row = -1;        // the first of those
};

/// Rows of a file. Numbers are in file units; a missing cell is NaN, a cell beyond the range of double ±inf.
struct Table {
  std::string source;  // file name for messages
  std::vector<Column> columns;
  Matrix numbers;
  std::vector<TextColumn> texts;

  /// Where the line number stops being "one more than the row before" (blank lines, cells over several
  /// lines).
  struct LineJump {
    Index row, line;
    bool operator==(const LineJump&) const = default;
  };
  std::vector<LineJump> line_jumps;

  Index rows() const { return numbers.rows(); }
  /// 1-based line of the file on which `row` starts; messages call it the row.
  Index line(Index row) const;
  const Column* find(std::string_view name) const;
  std::vector<std::string> names() const;
  /// "FILE: row 17, column 'age'"
  std::string place(Index row, const Column& column) const;
};

}  // namespace gnomon
