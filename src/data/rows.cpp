#include "rows.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "cell.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon::detail {
namespace {

constexpr std::size_t chunk_size = std::size_t{1} << 20;

/// What one look at every byte tells. A line break followed by a blank or another line break may open a blank
/// line.
struct ByteCounts {
  Index line_breaks = 0, quotes = 0, zeros = 0, suspects = 0;
};

/// Pieces of 128 bytes with eight-bit sums, so that the inner loop runs on whole vector registers. text[size]
/// is read.
GNOMON_HOT void count_pieces(const unsigned char* text, std::size_t pieces, ByteCounts& counts) {
  using Byte = std::uint8_t;
  for (std::size_t piece = 0; piece < pieces; ++piece, text += 128) {
    Byte breaks = 0, quotes = 0, zeros = 0, suspects = 0;
    for (int i = 0; i < 128; ++i) {
      const Byte here = text[i], next = text[i + 1];
      const Byte line_break = here == '\n' ? 1 : 0;
      const Byte blank = (next == '\n' ? 1 : 0) | (next == '\r' ? 1 : 0) | (next == ' ' ? 1 : 0);
      breaks += line_break;
      suspects += line_break & blank;
      quotes += here == '"' ? 1 : 0;
      zeros += here == 0 ? 1 : 0;
    }
    counts.line_breaks += breaks;
    counts.quotes += quotes;
    counts.zeros += zeros;
    counts.suspects += suspects;
  }
}

ByteCounts count_all(std::string_view text) {
  ByteCounts counts;
  const std::size_t pieces = text.empty() ? 0 : (text.size() - 1) / 128;
  count_pieces(reinterpret_cast<const unsigned char*>(text.data()), pieces, counts);
  for (std::size_t i = 128 * pieces; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : 'x';
    counts.line_breaks += text[i] == '\n';
    counts.quotes += text[i] == '"';
    counts.zeros += text[i] == 0;
    counts.suspects += text[i] == '\n' && (next == '\n' || next == '\r' || next == ' ');
  }
  return counts;
}

/// Rows of a text without quotes, line by line.
Index count_rows(std::string_view text) {
  Index rows = 0;
  const char *p = text.data(), *const end = p + text.size();
  while (p < end) {
    const char* next = nullptr;
    if (!blank_line(p, end, next)) {
      next = row_end(p, end, ',').next;
      ++rows;
    }
    p = next;
  }
  return rows;
}

std::vector<std::string_view> cut_at_lines(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto line_break = text.size() > chunk_size ? text.find('\n', chunk_size) : std::string_view::npos;
    const auto size = line_break == std::string_view::npos ? text.size() : line_break + 1;
    parts.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return parts;
}

std::vector<Chunk> cut_quoted(std::string_view text, Index line, const Layout& layout) {
  std::vector<Chunk> chunks;
  const char *p = text.data(), *const end = p + text.size();
  while (p < end) {
    Chunk chunk{.text = {}, .first_line = line};
    const char* const start = p;
    while (p < end && static_cast<std::size_t>(p - start) < chunk_size) {
      const char* next = nullptr;
      if (!blank_line(p, end, next)) {
        const RowEnd row = row_end(p, end, layout.delimiter);
        require(!row.open_quote, "{}: row {}: a quote is opened and never closed", layout.source, line);
        next = row.next;
        ++chunk.rows;
      }
      line += std::count(p, next, '\n');
      p = next;
    }
    chunk.text = {start, static_cast<std::size_t>(p - start)};
    chunks.push_back(chunk);
  }
  return chunks;
}

}  // namespace

std::vector<Chunk> cut_rows(std::string_view text, Index first_line, const Layout& layout,
                            const Release& release) {
  const auto parts = cut_at_lines(text);
  std::vector<ByteCounts> counts(parts.size());
  std::vector<Chunk> chunks(parts.size());
  parallel_for(static_cast<Index>(parts.size()), [&](Index i) {
    const auto k = static_cast<std::size_t>(i);
    counts[k] = count_all(parts[k]);
    const char first = parts[k].front();
    const bool simple = counts[k].suspects == 0 && first != '\n' && first != '\r' && first != ' ';
    chunks[k].text = parts[k];
    if (simple)
      chunks[k].rows = counts[k].line_breaks + (parts[k].back() != '\n');
    else if (counts[k].quotes == 0)
      chunks[k].rows = count_rows(parts[k]);
    if (release) release(parts[k]);
  });
  bool quoted = false;
  for (std::size_t k = 0; k < chunks.size(); ++k) {
    require(counts[k].zeros == 0, "{}: holds NUL bytes, so it is not a text file; save it as CSV in UTF-8",
            layout.source);
    quoted = quoted || counts[k].quotes > 0;
    chunks[k].first_line = first_line;
    first_line += counts[k].line_breaks;
  }
  if (quoted) chunks = cut_quoted(text, chunks.front().first_line, layout);
  for (std::size_t k = 1; k < chunks.size(); ++k)
    chunks[k].first_row = chunks[k - 1].first_row + chunks[k - 1].rows;
  return chunks;
}

}  // namespace gnomon::detail
