#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gnomon::detail {

/// One cell of a row. A quote is special only where a cell starts.
struct Cell {
  std::string_view text;      // without surrounding blanks and quotes; "" pairs still doubled
  const char* after;          // the delimiter, line break or end of text behind the cell
  bool escaped = false;       // holds "" pairs
  bool unterminated = false;  // the closing quote is missing
  bool malformed = false;     // text between the closing quote and the delimiter
};

Cell read_cell(const char* p, const char* end, char delimiter);

/// The text of a cell with "" pairs undone; `buffer` is used only if there are any.
std::string_view unescaped(const Cell& cell, std::string& buffer);

enum class CellKind { number, missing, text };

/// What a cell's text means. Missing: empty, NA, N/A, NaN, null, ? in any case; value is then NaN.
CellKind classify(std::string_view text, double& value);

/// Moves over the delimiter (a run of them, for spaces) or line break at p. nullptr: p stands at neither.
inline const char* step(const char* p, const char* end, char delimiter, bool& row_over) {
  const char* q = p;
  if (delimiter == ' ')
    while (q < end && *q == ' ') ++q;
  row_over = q == end || *q == '\n' || (*q == '\r' && (q + 1 == end || q[1] == '\n'));
  if (row_over) {
    if (q < end && *q == '\r') ++q;
    return q < end ? q + 1 : end;
  }
  if (delimiter == ' ') return q > p ? q : nullptr;
  return *q == delimiter ? q + 1 : nullptr;
}

/// Is [p, …) a line of blanks only? Then `next` is the start of the following line.
inline bool blank_line(const char* p, const char* end, const char*& next) {
  while (p < end && *p == ' ') ++p;
  if (p < end && *p == '\r') ++p;
  if (p < end && *p != '\n') return false;
  next = p < end ? p + 1 : end;
  return true;
}

/// What true and false, in any case, count as in a column of them: 1 and 0.
std::optional<double> truth_value(std::string_view text);

bool is_utf8(std::string_view text);

}  // namespace gnomon::detail
