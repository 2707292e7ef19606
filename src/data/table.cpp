#include "gnomon/data/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gnomon/core/error.hpp"

namespace gnomon {

Index Table::line(Index row) const {
  const auto after = std::upper_bound(line_jumps.begin(), line_jumps.end(), row,
                                      [](Index r, const LineJump& jump) { return r < jump.row; });
  if (after == line_jumps.begin()) return row + 2;
  const auto& jump = *std::prev(after);
  return jump.line + (row - jump.row);
}

const Column* Table::find(std::string_view name) const {
  const auto at =
      std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  return at == columns.end() ? nullptr : &*at;
}

std::vector<std::string> Table::names() const {
  std::vector<std::string> all;
  for (const auto& column : columns) all.push_back(column.name);
  return all;
}

std::string Table::place(Index row, const Column& column) const {
  ++detail::messages_formed;
  return fmt::format("{}: row {}, column '{}'", source, line(row), column.name);
}

}  // namespace gnomon
