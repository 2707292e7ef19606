#pragma once

// A CSV file of 17-digit numbers for benchmarks, removed at the end unless its path was given.

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "gnomon/core/types.hpp"

namespace gnomon::bench {

/// Columns x1, x2, …
inline void write_csv(const std::string& path, const Matrix& x) {
  std::ofstream file(path);
  fmt::memory_buffer text;
  for (Index c = 0; c < x.cols(); ++c) fmt::format_to(std::back_inserter(text), "{}x{}", c ? "," : "", c + 1);
  text.push_back('\n');
  for (Index r = 0; r < x.rows(); ++r) {
    for (Index c = 0; c < x.cols(); ++c)
      fmt::format_to(std::back_inserter(text), "{}{:.17g}", c ? "," : "", x(r, c));
    text.push_back('\n');
    if (text.size() > (1u << 20) || r + 1 == x.rows()) {
      file.write(text.data(), static_cast<std::streamsize>(text.size()));
      text.clear();
    }
  }
}

class CsvFile {
 public:
  /// At `kept`, where it is written unless it is there, or at a place of its own if empty.
  CsvFile(const Matrix& x, const std::string& kept = "") : path(kept), keep_(!kept.empty()) {
    if (!keep_)
      path = (std::filesystem::temp_directory_path() / fmt::format("gnomon-bench-{}.csv", getpid())).string();
    if (!std::filesystem::exists(path)) write_csv(path, x);
  }
  ~CsvFile() {
    if (!keep_) std::filesystem::remove(path);
  }
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  std::string path;

 private:
  bool keep_;
};

}  // namespace gnomon::bench
