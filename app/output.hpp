#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace gnomon::app {

/// Fails early, before any work, if a file cannot be written there. An empty path or "-" is fine.
void check_writable(const std::string& path);

/// A file as the user named it.
struct NamedFile {
  std::string role;  ///< for messages: "--test", "the data"
  std::string path;  ///< "" = not given, "-" = standard input or output
};

/// Fails early, before any work, unless every output can be written, none of them is a file that is to be read, and no two
/// are the same file: under any name, through links (soft or hard) and "./". Devices and pipes may serve for several.
void check_files(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

/// Writes a whole file or none: to a temporary file beside it, then renamed. "-" is standard output.
void write_file(const std::string& path, const std::string& content);

/// A text as one cell of a CSV file.
std::string quoted(const std::string& text);

/// A file that appears under its name only when `commit` is called; removed otherwise.
class PendingFile {
 public:
  explicit PendingFile(std::string path);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  void write(const std::string& text);
  void commit();

 private:
  std::string shown_name() const { return path_ == "-" ? "standard output" : path_; }

  std::string path_, temporary_;  // temporary_ is empty for pipes, devices and standard output
  std::FILE* file_ = nullptr;
};

}  // namespace gnomon::app
