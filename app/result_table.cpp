#include "result_table.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "output.hpp"

namespace gnomon::app {
namespace {

/// Characters, not bytes, so that columns line up.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

std::string csv_of(const ResultTable& table) {
  std::string text;
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t j = 0; j < cells.size(); ++j) text += (j ? "," : "") + quoted(cells[j]);
    text += '\n';
  };
  line(table.header);
  for (const auto& row : table.rows) line(row);
  return text;
}

std::string markdown_of(const ResultTable& table) {
  std::vector<std::size_t> widths;
  for (const auto& title : table.header) widths.push_back(std::max<std::size_t>(3, width_of(title)));
  for (const auto& row : table.rows) {
    for (std::size_t j = 0; j < row.size(); ++j) widths[j] = std::max(widths[j], width_of(row[j]));
  }
  std::string text;
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t j = 0; j < cells.size(); ++j)
      text += "| " + cells[j] + std::string(widths[j] - width_of(cells[j]) + 1, ' ');
    text += "|\n";
  };
  line(table.header);
  for (const std::size_t width : widths) text += "|" + std::string(width + 2, '-');
  text += "|\n";
  for (const auto& row : table.rows) line(row);
  return text;
}

TableBlock block_of(const ResultTable& table) {
  TableBlock block{table.header, {}};
  for (const auto& row : table.rows) {
    TableRow cells;
    for (const auto& cell : row)
      cells.cells.push_back(parse_number(cell) ? number_cell(cell) : text_cell(cell));
    block.rows.push_back(std::move(cells));
  }
  return block;
}

}  // namespace gnomon::app
