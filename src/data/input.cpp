#include "input.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "gnomon/core/error.hpp"

namespace gnomon::detail {
namespace {

constexpr std::size_t piece_size = std::size_t{1} << 20;
constexpr std::size_t held_limit = std::size_t{64} << 20;

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : fd_(path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) fail("{}: cannot be opened: {}", source_name(path), std::strerror(errno));
    struct stat status {};
    if (fstat(fd_, &status) != 0) fail("{}: cannot be read: {}", source_name(path), std::strerror(errno));
    if (S_ISDIR(status.st_mode)) fail("{}: is a directory; give a file", source_name(path));
    regular_ = S_ISREG(status.st_mode) && path != "-";
    size_ = static_cast<std::size_t>(status.st_size);
  }
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  int give_away() { return std::exchange(fd_, -1); }
  std::size_t size() const { return size_; }
  /// Can be mapped as it is: a regular file that does not start with the magic bytes of gzip.
  bool plain() const {
    std::array<unsigned char, 2> magic{};
    if (!regular_ || size_ == 0) return false;
    return pread(fd_, magic.data(), 2, 0) < 2 || magic[0] != 0x1f || magic[1] != 0x8b;
  }

 private:
  int fd_;
  bool regular_ = false;
  std::size_t size_ = 0;
};

}  // namespace

namespace {

/// zlib's words without the name it made up for a descriptor, "<fd:3>: ".
std::string_view without_descriptor(std::string_view message) {
  const auto end = message.starts_with("<fd:") ? message.find(">: ") : std::string_view::npos;
  return end == std::string_view::npos ? message : message.substr(end + 3);
}

}  // namespace

std::string source_name(const std::string& path) { return path == "-" ? "standard input" : path; }

ByteStream::ByteStream(const std::string& path)
    : ByteStream(Descriptor(path).give_away(), source_name(path)) {}

ByteStream::ByteStream(int descriptor, std::string source)
    : source_(std::move(source)), file_(gzdopen(descriptor, "rb")) {
  require(file_ != nullptr, "{}: cannot be opened: out of memory", source_);
  gzbuffer(file_, 1u << 18);
}

ByteStream::~ByteStream() { gzclose(file_); }

std::size_t ByteStream::read(char* buffer, std::size_t size) {
  std::size_t filled = 0;
  while (filled < size) {
    const auto wanted = static_cast<unsigned>(std::min(size - filled, piece_size));
    const int got = gzread(file_, buffer + filled, wanted);
    int code = Z_OK;
    const char* const message = gzerror(file_, &code);
    if (code == Z_ERRNO) fail("{}: cannot be read: {}", source_, std::strerror(errno));
    if (got < 0 || code != Z_OK)
      fail("{}: damaged gzip file ({}); make or fetch it again", source_,
           code == Z_BUF_ERROR ? "it ends too early" : without_descriptor(message));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

WholeText::WholeText(const std::string& path) : source_(source_name(path)) {
  Descriptor descriptor(path);
  if (descriptor.plain()) {
    map(descriptor.get(), descriptor.size());
  } else {
    ByteStream stream(descriptor.give_away(), source_);
    unpack(stream);
  }
}

WholeText::~WholeText() {
  if (mapped_) munmap(mapped_, size_);
}

void WholeText::map(int descriptor, std::size_t size) {
  void* const start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  require(start != MAP_FAILED, "{}: cannot be read: {}", source_, std::strerror(errno));
  mapped_ = static_cast<char*>(start);
  size_ = size;
  madvise(mapped_, size_, MADV_SEQUENTIAL);
}

void WholeText::unpack(ByteStream& stream) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> spill(nullptr, &std::fclose);
  std::vector<char> piece(piece_size);
  std::size_t total = 0;
  auto store = [&](const char* bytes, std::size_t count) {
    require(std::fwrite(bytes, 1, count, spill.get()) == count, "{}: no room for a temporary file: {}",
            source_, std::strerror(errno));
  };
  for (std::size_t got; (got = stream.read(piece.data(), piece.size())) > 0; total += got) {
    if (!spill && held_.size() + got <= held_limit) {
      held_.append(piece.data(), got);
      continue;
    }
    if (!spill) {
      spill.reset(std::tmpfile());
      require(spill != nullptr, "{}: cannot make a temporary file: {}", source_, std::strerror(errno));
      store(held_.data(), held_.size());
      std::string().swap(held_);
    }
    store(piece.data(), got);
  }
  if (!spill) return;
  require(std::fflush(spill.get()) == 0, "{}: no room for a temporary file: {}", source_,
          std::strerror(errno));
  map(fileno(spill.get()), total);
}

std::string_view WholeText::view() const {
  return mapped_ ? std::string_view(mapped_, size_) : std::string_view(held_);
}

void WholeText::release(std::string_view part) const {
  if (!mapped_ || part.empty()) return;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto offset = static_cast<std::size_t>(part.data() - mapped_);
  const std::size_t first = (offset + page - 1) / page * page;
  const std::size_t last = (offset + part.size()) / page * page;
  if (first < last) madvise(mapped_ + first, last - first, MADV_DONTNEED);
}

}  // namespace gnomon::detail
