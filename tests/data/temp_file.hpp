#pragma once

#include <unistd.h>
#include <zlib.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include "gnomon/core/error.hpp"

namespace gnomon::testing {

/// A file with the given bytes that goes away with the object.
class TempFile {
 public:
  explicit TempFile(const std::string& bytes, const std::string& suffix = ".csv") {
    static std::atomic<int> count{0};
    path_ = std::filesystem::temp_directory_path() /
            ("gnomon-test-" + std::to_string(getpid()) + "-" + std::to_string(count++) + suffix);
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TempFile() { std::filesystem::remove(path_); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

inline std::string gzipped(const std::string& bytes) {
  const TempFile file("", ".gz");
  gzFile out = gzopen(file.path().c_str(), "wb");
  gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(out);
  std::ifstream in(file.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The message of the gnomon::Error that the call throws; empty if it throws none.
template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace gnomon::testing
