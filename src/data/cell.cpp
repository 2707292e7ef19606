#include "cell.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace gnomon::detail {
namespace {

bool blank(char c, char delimiter) { return c == ' ' || (c == '\t' && delimiter != '\t'); }

Cell read_quoted(const char* open, const char* end, char delimiter) {
  const char* const first = open + 1;
  bool escaped = false;
  const char* close = first;
  for (;; close += 2, escaped = true) {
    close = static_cast<const char*>(std::memchr(close, '"', static_cast<std::size_t>(end - close)));
    if (!close) return {.text = {}, .after = end, .unterminated = true};
    if (close + 1 == end || close[1] != '"') break;
  }
  const char* p = close + 1;
  while (p < end && blank(*p, delimiter) && *p != delimiter) ++p;
  const bool ends =
      p == end || *p == delimiter || *p == '\n' || (*p == '\r' && (p + 1 == end || p[1] == '\n'));
  return {.text = {first, static_cast<std::size_t>(close - first)},
          .after = p,
          .escaped = escaped,
          .malformed = !ends};
}

bool same_ignoring_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + ('a' - 'A')) : a) == b;
  });
}

}  // namespace

Cell read_cell(const char* p, const char* end, char delimiter) {
  while (p < end && blank(*p, delimiter)) ++p;
  if (p < end && *p == '"') return read_quoted(p, end, delimiter);
  const char* const first = p;
  while (p < end && *p != delimiter && *p != '\n') ++p;
  const char* last = p;
  if ((p == end || *p == '\n') && last > first && last[-1] == '\r') --last, --p;
  while (last > first && blank(last[-1], delimiter)) --last;
  return {.text = {first, static_cast<std::size_t>(last - first)}, .after = p};
}

std::string_view unescaped(const Cell& cell, std::string& buffer) {
  if (!cell.escaped) return cell.text;
  buffer.clear();
  for (std::size_t i = 0; i < cell.text.size(); ++i) {
    buffer.push_back(cell.text[i]);
    if (cell.text[i] == '"') ++i;
  }
  return buffer;
}

CellKind classify(std::string_view text, double& value) {
  value = std::numeric_limits<double>::quiet_NaN();
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  for (const std::string_view missing : {"", "na", "n/a", "nan", "-nan", "null", "?"})
    if (same_ignoring_case(text, missing)) return CellKind::missing;
  if (text.front() == '+' && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  double parsed = 0;
  const auto [after, error] = fast_float::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error == std::errc::invalid_argument || after != text.data() + text.size() || std::isnan(parsed))
    return CellKind::text;
  value = parsed;
  return CellKind::number;
}

std::optional<double> truth_value(std::string_view text) {
  if (same_ignoring_case(text, "true")) return 1;
  if (same_ignoring_case(text, "false")) return 0;
  return std::nullopt;
}

bool is_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    if (length == 0 || i + length > text.size()) return false;
    for (std::size_t k = 1; k < length; ++k)
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return false;
    const auto second = length > 1 ? static_cast<unsigned char>(text[i + 1]) : 0;
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
        (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F))
      return false;
    i += length;
  }
  return true;
}

}  // namespace gnomon::detail
