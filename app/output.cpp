#include "output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "gnomon/core/error.hpp"

namespace gnomon::app {
namespace {

[[noreturn]] void cannot_write(const std::string& path, const char* why) {
  fail("cannot write '{}': {}; choose another place for the output", path, why);
}

namespace fs = std::filesystem;

/// Whether two paths lead to one regular file, or would once it is written.
bool same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty() || a == "-" || b == "-") return false;
  std::error_code trouble;
  const fs::file_status left = fs::status(a, trouble), right = fs::status(b, trouble);
  if (fs::exists(left) && fs::exists(right))
    return fs::is_regular_file(left) && fs::is_regular_file(right) && fs::equivalent(a, b, trouble);
  return fs::weakly_canonical(fs::absolute(a), trouble) == fs::weakly_canonical(fs::absolute(b), trouble);
}

}  // namespace

void check_files(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  const NamedFile* from_stdin = nullptr;
  for (const NamedFile& in : inputs) {
    if (in.path != "-") continue;
    if (from_stdin)
      throw UsageError(
          fmt::format("{} and {} cannot both be -; give one of them as a file", from_stdin->role, in.role));
    from_stdin = &in;
  }
  for (const NamedFile& in : inputs) {
    const std::string path =
        in.path == "-" ? "/dev/stdin" : in.path;  // which may be a file that the shell opened
    std::error_code trouble;
    if (!fs::exists(path, trouble)) continue;  // whoever reads it says so
    for (const NamedFile& out : outputs)
      if (same_file(out.path, path))
        throw UsageError(
            fmt::format("{} would write over {}, '{}'; give another file", out.role, in.role, in.path));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string& path = outputs[i].path;
    check_writable(path);
    for (std::size_t j = 0; j < i; ++j) {
      const bool same_text = path == outputs[j].path && !path.empty() && path != "/dev/null";
      if (same_text || same_file(path, outputs[j].path))
        throw UsageError(fmt::format("two outputs would go to '{}'; give each its own file", path));
    }
  }
}

void check_writable(const std::string& path) {
  if (path.empty() || path == "-") return;
  if (fs::is_directory(path)) cannot_write(path, "it is a folder");
  const fs::path folder = fs::path(path).parent_path();
  const std::string place = folder.empty() ? "." : folder.string();
  if (!fs::is_directory(place)) cannot_write(path, fmt::format("there is no folder '{}'", place).c_str());
  if (access(place.c_str(), W_OK) != 0) cannot_write(path, std::strerror(errno));
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

PendingFile::PendingFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    file_ = stdout;
    return;
  }
  check_writable(path_);
  std::error_code missing;
  if (const auto real = fs::canonical(path_, missing); !missing) path_ = real.string();  // through links
  if (fs::exists(path_) && !fs::is_regular_file(path_)) {                                // a pipe or a device
    file_ = std::fopen(path_.c_str(), "wb");
    if (!file_) cannot_write(path_, std::strerror(errno));
    return;
  }
  temporary_ = path_ + ".XXXXXX";
  const int descriptor = mkstemp(temporary_.data());
  if (descriptor < 0) cannot_write(path_, std::strerror(errno));
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor, 0666 & ~mask);
  file_ = fdopen(descriptor, "wb");
  if (!file_) cannot_write(path_, std::strerror(errno));
}

PendingFile::~PendingFile() {
  if (path_ == "-" || !file_) return;
  std::fclose(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void PendingFile::write(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size())
    cannot_write(shown_name(), std::strerror(errno));
}

void PendingFile::commit() {
  if (path_ == "-") {
    if (std::fflush(file_) != 0) cannot_write(shown_name(), std::strerror(errno));
    return;
  }
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;

  if (closed && temporary_.empty()) return;
  if (!closed || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int why = errno;
    unlink(temporary_.c_str());
    cannot_write(path_, std::strerror(why));
  }
}

void write_file(const std::string& path, const std::string& content) {
  PendingFile file(path);
  file.write(content);
  file.commit();
}

}  // namespace gnomon::app
