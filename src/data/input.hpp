#pragma once

#include <cstddef>
#include <string>
#include <string_view>

struct gzFile_s;

namespace gnomon::detail {

/// The name of an input for messages.
std::string source_name(const std::string& path);

/// The bytes of a file, a pipe or standard input ("-") one after the other; gzip is unpacked on the way.
class ByteStream {
 public:
  explicit ByteStream(const std::string& path);
  /// Takes over an open descriptor.
  ByteStream(int descriptor, std::string source);
  ~ByteStream();
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  /// Fills the buffer as far as the input reaches; less than `size` only at its end.
  std::size_t read(char* buffer, std::size_t size);

 private:
  std::string source_;
  gzFile_s* file_ = nullptr;
};

/// The whole text of an input. Plain files are mapped; others are unpacked into memory, or, where that is
/// large, into an unnamed temporary file that is mapped.
class WholeText {
 public:
  explicit WholeText(const std::string& path);
  ~WholeText();
  WholeText(const WholeText&) = delete;
  WholeText& operator=(const WholeText&) = delete;

  std::string_view view() const;
  /// Lets go of the physical pages of a part of the mapping; they come back when touched.
  void release(std::string_view part) const;

 private:
  void map(int descriptor, std::size_t size);
  void unpack(ByteStream& stream);

  std::string source_, held_;
  char* mapped_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gnomon::detail
