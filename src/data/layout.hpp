#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnomon/core/types.hpp"
#include "gnomon/data/csv.hpp"

namespace gnomon::detail {

/// What the first rows of a file say about the rest.
struct Layout {
  std::string source;
  char delimiter = ',';
  std::vector<std::string> names;
  std::size_t data_offset = 0;  // bytes before the first row below the header
  Index data_line = 2;          // and its line number
};

/// Rows of the beginning that the delimiter is judged by.
inline constexpr Index judged_rows = 20;

/// Finds delimiter and header from the beginning of the text; `whole`: nothing follows, so the last row is
/// complete.
Layout find_layout(std::string_view head, bool whole, const CsvOptions& options, const std::string& source);

/// The end of the row that starts at p: behind its line break, or the end of the text.
struct RowEnd {
  const char* next;
  bool complete;    // ended by a line break
  bool open_quote;  // the text ends inside quotes
};
RowEnd row_end(const char* p, const char* end, char delimiter);

}  // namespace gnomon::detail
