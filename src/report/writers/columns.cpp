#include "columns.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/text.hpp"

namespace gnomon {
namespace {

struct CodePoint {
  std::uint32_t value;
  std::size_t length;  ///< bytes
  bool valid;
};

/// The first code point of a text that is not empty.
CodePoint decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 && lead < 0xF8 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (length == 0 || lead >= 0xF8 || length > text.size()) return {lead, 1, false};
  std::uint32_t value = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {lead, 1, false};
    value = (value << 6) | (byte(i) & 0x3F);
  }
  return {value, length, true};
}

std::size_t columns_of(std::uint32_t c) {
  struct Range {
    std::uint32_t first, last;
  };
  constexpr std::array combining{Range{0x300, 0x36F}, Range{0x200B, 0x200F}, Range{0x20D0, 0x20FF},
                                 Range{0xFE00, 0xFE0F}};
  constexpr std::array wide{Range{0x1100, 0x115F},   Range{0x2E80, 0xA4CF},   Range{0xAC00, 0xD7A3},
                            Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},
                            Range{0x1F300, 0x1F64F}, Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD}};
  const auto within = [c](const Range& r) { return c >= r.first && c <= r.last; };
  if (std::any_of(combining.begin(), combining.end(), within)) return 0;
  return std::any_of(wide.begin(), wide.end(), within) ? 2 : 1;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const CodePoint c = decode(text);
    const bool control =
        c.value < 0x20 || (c.value >= 0x7F && c.value < 0xA0) || (c.value >= 0x202A && c.value <= 0x202E);
    if (c.valid && !control) {
      clean += text.substr(0, c.length);
    } else {
      clean += '?';
    }
    text.remove_prefix(c.length);
  }
  return clean;
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    const CodePoint c = decode(text);
    count += columns_of(c.value);
    text.remove_prefix(c.length);
  }
  return count;
}

std::string padded(std::string_view text, std::size_t width, bool right) {
  const std::size_t taken = columns(text);
  const std::string blanks(width > taken ? width - taken : 0, ' ');
  return right ? blanks + std::string(text) : std::string(text) + blanks;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  const auto flush = [&] {
    lines.push_back(line);
    line.clear();
  };
  for (const std::string& word : split(text, ' ')) {
    if (word.empty()) continue;
    if (!line.empty() && columns(line) + 1 + columns(word) > width) flush();
    if (!line.empty()) line += ' ';
    std::string_view rest = word;
    while (!rest.empty()) {
      const CodePoint c = decode(rest);
      if (!line.empty() && columns(line) + columns_of(c.value) > width) flush();
      line += rest.substr(0, c.length);
      rest.remove_prefix(c.length);
    }
  }
  if (!line.empty() || lines.empty()) flush();
  return lines;
}

}  // namespace gnomon
