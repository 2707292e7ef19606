#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>

#include "cell.hpp"
#include "gnomon/core/parallel.hpp"
#include "rows.hpp"

namespace gnomon::detail {
namespace {

/// The values of one column inside one chunk, in order of appearance.
struct LocalLevels {
  std::unordered_map<std::string_view, int> codes;
  std::vector<std::string_view> texts;
  std::vector<Index> counts;
  std::deque<std::string> unescaped_texts;

  int code(const Cell& cell, std::string& buffer) {
    const std::string_view text = unescaped(cell, buffer);
    double value = 0;
    const auto found = codes.find(text);
    if (found != codes.end()) {
      if (found->second >= 0) ++counts[static_cast<std::size_t>(found->second)];
      return found->second;
    }
    const std::string_view kept = cell.escaped ? std::string_view(unescaped_texts.emplace_back(text)) : text;
    if (classify(text, value) == CellKind::missing) return codes[kept] = -1;
    texts.push_back(kept);
    counts.push_back(1);
    return codes[kept] = static_cast<int>(texts.size()) - 1;
  }
};

void code_chunk(const Chunk& chunk, const std::vector<std::size_t>& columns, const Layout& layout,
                std::vector<LocalLevels>& levels, std::vector<TextColumn>& out) {
  const char *p = chunk.text.data(), *const end = p + chunk.text.size();
  std::string buffer;
  for (Index row = chunk.first_row; row < chunk.first_row + chunk.rows; ++row) {
    const char* next = nullptr;
    while (blank_line(p, end, next)) p = next;
    std::size_t t = 0;
    bool row_over = false;
    for (std::size_t c = 0; !row_over; ++c) {
      const Cell cell = read_cell(p, end, layout.delimiter);
      if (t < columns.size() && columns[t] == c) {
        out[t].codes[static_cast<std::size_t>(row)] = levels[t].code(cell, buffer);
        ++t;
      }
      p = step(cell.after, end, layout.delimiter, row_over);
    }
  }
}

}  // namespace

std::vector<TextColumn> code_text(const std::vector<Chunk>& chunks, const std::vector<std::size_t>& columns,
                                  const Layout& layout, const Release& release) {
  const auto rows = static_cast<std::size_t>(chunks.back().first_row + chunks.back().rows);
  std::vector<TextColumn> out(columns.size());
  for (auto& column : out) column.codes.resize(rows);
  std::vector<std::vector<LocalLevels>> local(chunks.size(), std::vector<LocalLevels>(columns.size()));
  parallel_for(static_cast<Index>(chunks.size()), [&](Index i) {
    const auto k = static_cast<std::size_t>(i);
    code_chunk(chunks[k], columns, layout, local[k], out);
    if (release) release(chunks[k].text);
  });

  for (std::size_t t = 0; t < columns.size(); ++t) {
    std::vector<std::string_view> all;
    for (const auto& chunk : local) all.insert(all.end(), chunk[t].texts.begin(), chunk[t].texts.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    TextColumn& column = out[t];
    column.levels.assign(all.begin(), all.end());

    std::vector<char> is_number(all.size());
    double value = 0;
    for (std::size_t l = 0; l < all.size(); ++l) is_number[l] = classify(all[l], value) == CellKind::number;
    for (std::size_t k = 0; k < chunks.size(); ++k) {
      std::vector<int> global;
      for (std::size_t l = 0; l < local[k][t].texts.size(); ++l) {
        const auto at = std::lower_bound(all.begin(), all.end(), local[k][t].texts[l]) - all.begin();
        global.push_back(static_cast<int>(at));
        (is_number[static_cast<std::size_t>(at)] ? column.numeric_cells : column.text_cells) +=
            local[k][t].counts[l];
      }
      const auto first = static_cast<std::size_t>(chunks[k].first_row);
      for (std::size_t row = first; row < first + static_cast<std::size_t>(chunks[k].rows); ++row) {
        int& code = column.codes[row];
        if (code < 0) continue;
        code = global[static_cast<std::size_t>(code)];
        if (column.first_text_row < 0 && !is_number[static_cast<std::size_t>(code)])
          column.first_text_row = static_cast<Index>(row);
      }
    }
  }
  return out;
}

}  // namespace gnomon::detail
