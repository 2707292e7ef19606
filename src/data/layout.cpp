#include "layout.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "cell.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::detail {
namespace {

std::vector<std::string> cells_of(std::string_view row, char delimiter) {
  std::vector<std::string> cells;
  std::string buffer;
  const char *p = row.data(), *const end = p + row.size();
  for (bool row_over = false; !row_over;) {
    const Cell cell = read_cell(p, end, delimiter);
    cells.emplace_back(unescaped(cell, buffer));
    if (cell.unterminated || cell.malformed) break;
    p = step(cell.after, end, delimiter, row_over);
  }
  return cells;
}

struct Row {
  std::string_view text;
  Index line;
};

/// The first rows that are not blank, as the delimiter cuts them. A last row that may go on is left out.
std::vector<Row> first_rows(std::string_view head, bool whole, char delimiter) {
  std::vector<Row> rows;
  const char *p = head.data(), *const end = p + head.size();
  Index line = 1;
  while (p < end && static_cast<Index>(rows.size()) <= judged_rows) {
    const char* next;
    if (!blank_line(p, end, next)) {
      const RowEnd row = row_end(p, end, delimiter);
      if (!whole && !row.complete && !rows.empty()) break;
      next = row.next;
      rows.push_back({{p, static_cast<std::size_t>(next - p)}, line});
    }
    line += std::count(p, next, '\n');
    p = next;
  }
  return rows;
}

/// The delimiter that cuts the header into most cells, and every following row into as many. A file whose
/// rows do not agree is cut by the one with most header cells, so that the ragged row can be named.
char find_delimiter(std::string_view head, bool whole) {
  char best = ',';
  std::size_t best_cells = 1;
  bool best_agrees = false;
  for (const char candidate : {',', ';', '\t', '|', ' '}) {
    const auto rows = first_rows(head, whole, candidate);
    const auto cells = cells_of(rows.front().text, candidate).size();
    const bool agrees = std::all_of(rows.begin() + 1, rows.end(), [&](const Row& row) {
      return cells_of(row.text, candidate).size() == cells;
    });
    if (cells < 2 || (candidate == ' ' && (!agrees || best_cells > 1))) continue;
    if (agrees > best_agrees || (agrees == best_agrees && cells > best_cells)) {
      best = candidate;
      best_cells = cells;
      best_agrees = agrees;
    }
  }
  return best;
}

void check_names(const Layout& layout) {
  const auto& names = layout.names;
  std::set<std::string_view> seen;
  Index numbers = 0;
  double value = 0;
  for (const auto& name : names) numbers += classify(name, value) == CellKind::number;
  require(numbers < static_cast<Index>(names.size()),
          "first row of {} holds only numbers; add a header row with column names", layout.source);
  for (std::size_t i = 0; i < names.size(); ++i) {
    require(!names[i].empty(), "{}: header: column {} of {} has no name", layout.source, i + 1, names.size());
    require(is_utf8(names[i]), "{}: header: the name of column {} is not UTF-8; convert the file",
            layout.source, i + 1);
    require(seen.insert(names[i]).second, "{}: header: two columns are called '{}'; rename one",
            layout.source, names[i]);
  }
}

}  // namespace

RowEnd row_end(const char* p, const char* end, char delimiter) {
  const auto rest = static_cast<std::size_t>(end - p);
  const auto* const line_break = static_cast<const char*>(std::memchr(p, '\n', rest));
  const char* const line_end = line_break ? line_break : end;
  if (!std::memchr(p, '"', static_cast<std::size_t>(line_end - p)))
    return {line_break ? line_break + 1 : end, line_break != nullptr, false};
  for (bool row_over = false; !row_over;) {
    const Cell cell = read_cell(p, end, delimiter);
    if (cell.unterminated) return {end, false, true};
    p = cell.after;
    // Text behind a closing quote is an error of the cell, not of the row: go on to where the cell ends.
    if (cell.malformed)
      while (p < end && *p != delimiter && *p != '\n') ++p;
    p = step(p, end, delimiter, row_over);
  }
  return {p, p[-1] == '\n', false};
}

Layout find_layout(std::string_view head, bool whole, const CsvOptions& options, const std::string& source) {
  Layout layout{.source = source, .names = {}};
  const bool marked = head.substr(0, 3) == "\xEF\xBB\xBF";
  const std::string_view text = head.substr(marked ? 3 : 0);
  require(text.substr(0, 65536).find('\0') == std::string_view::npos,
          "{}: holds NUL bytes, so it is not a text file; save it as CSV in UTF-8", source);
  require(text.find_first_not_of(" \t\r\n") != std::string_view::npos,
          "{}: is empty; give a file with a header row and rows of data", source);
  layout.delimiter = options.delimiter ? options.delimiter : find_delimiter(text, whole);
  const Row header = first_rows(text, whole, layout.delimiter).front();
  require(!row_end(header.text.data(), text.data() + text.size(), layout.delimiter).open_quote,
          "{}: row {}: a quote is opened and never closed", source, header.line);
  layout.names = cells_of(header.text, layout.delimiter);
  check_names(layout);
  const char* const data = header.text.data() + header.text.size();
  layout.data_offset = static_cast<std::size_t>(data - head.data());
  layout.data_line = header.line + std::count(header.text.begin(), header.text.end(), '\n');
  return layout;
}

}  // namespace gnomon::detail
