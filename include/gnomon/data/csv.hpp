#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gnomon/data/table.hpp"

namespace gnomon {

/// How a delimited text file is read. Column names that the file does not have are ignored here.
struct CsvOptions {
  char delimiter = 0;                        // 0 = found out among , ; tab | and runs of spaces
  std::vector<std::string> text_columns;     // text even where every cell is a number
  std::vector<std::string> numeric_columns;  // a cell that is not a number is an error
};

/// Reads a whole file: header row, quotes, CRLF, byte order mark, gzip; "-" is standard input. Numbers are
/// exactly rounded. Missing cells: empty, NA, N/A, NaN, null, ?. A column with a cell that is neither is
/// text. Plain files are mapped and parsed in parallel straight into the numeric matrix, so memory stays near
/// its size; other inputs are first unpacked (beyond 64 MB into an unnamed temporary file).
Table read_table(const std::string& path, const CsvOptions& options = {});

/// Reads a file in blocks of rows, for inputs larger than memory. A column's type is decided block by block
/// unless the options force it.
class TableReader {
 public:
  explicit TableReader(const std::string& path, CsvOptions options = {});
  ~TableReader();
  TableReader(TableReader&&) noexcept;
  TableReader& operator=(TableReader&&) noexcept;

  /// Column names of the header.
  const std::vector<std::string>& names() const;
  /// The next rows, at most max_rows of them; false at the end.
  bool next(Table& block, Index max_rows);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gnomon
