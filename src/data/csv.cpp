#include "gnomon/data/csv.hpp"

#include <algorithm>
#include <utility>

#include "cell.hpp"
#include "gnomon/core/error.hpp"
#include "input.hpp"
#include "layout.hpp"
#include "rows.hpp"

namespace gnomon {

Table read_table(const std::string& path, const CsvOptions& options) {
  const detail::WholeText text(path);
  const std::string_view all = text.view();
  const auto layout = detail::find_layout(all, true, options, detail::source_name(path));
  return detail::parse_rows(all.substr(layout.data_offset), layout.data_line, layout, options,
                            [&](std::string_view part) { text.release(part); });
}

struct TableReader::State {
  State(const std::string& path, CsvOptions chosen) : options(std::move(chosen)), stream(path) {
    Index complete = 0;
    while (!ended && complete <= detail::judged_rows) {
      more();
      complete = 0;
      take_rows(0, detail::judged_rows + 1, complete);
    }
    layout = detail::find_layout(buffer, ended, options, detail::source_name(path));
    used = layout.data_offset;
    line = layout.data_line;
    skip_blank_lines();
    require(used < buffer.size(), "{}: has a header but no rows of data; add some", layout.source);
  }

  /// At least doubles what is held, so that scanning again costs no more than a constant factor.
  void more() {
    buffer.erase(0, used);
    used = 0;
    const std::size_t held = buffer.size();
    const std::size_t wanted = std::max(held, std::size_t{1} << 20);
    buffer.resize(held + wanted);
    const std::size_t got = stream.read(buffer.data() + held, wanted);
    buffer.resize(held + got);
    ended = got < wanted;
  }

  /// The end of up to `limit` complete rows from `from` on; `rows` counts them.
  std::size_t take_rows(std::size_t from, Index limit, Index& rows) const {
    const char *p = buffer.data() + from, *const end = buffer.data() + buffer.size();
    while (p < end && rows < limit) {
      const char* next = nullptr;
      if (detail::blank_line(p, end, next)) {
        if (next == end && !ended) break;
      } else {
        const auto row = detail::row_end(p, end, layout.delimiter);
        if (!row.complete && !ended) break;
        next = row.next;
        ++rows;
      }
      p = next;
    }
    return static_cast<std::size_t>(p - buffer.data());
  }

  /// So that "is there another row" can be answered before it is parsed.
  void skip_blank_lines() {
    for (;;) {
      const char *p = buffer.data() + used, *const end = buffer.data() + buffer.size(), *next = nullptr;
      if (p == end || (!ended && end - p < 1024)) {
        if (ended) return;
        more();
      } else if (detail::blank_line(p, end, next)) {
        used = static_cast<std::size_t>(next - buffer.data());
        ++line;
      } else {
        return;
      }
    }
  }

  bool next(Table& block, Index max_rows) {
    require(max_rows > 0, "a block needs at least one row, not {}", max_rows);
    skip_blank_lines();
    if (used == buffer.size()) return false;
    Index rows = 0;
    std::size_t until = take_rows(used, max_rows, rows);
    while (rows < max_rows && !ended) {
      const std::size_t scanned = until - used;
      more();
      until = take_rows(scanned, max_rows, rows);
    }
    const std::string_view text = std::string_view(buffer).substr(used, until - used);
    block = detail::parse_rows(text, line, layout, options, {});
    line += std::count(text.begin(), text.end(), '\n');
    used = until;
    return true;
  }

  CsvOptions options;
  detail::ByteStream stream;
  detail::Layout layout;
  std::string buffer;
  std::size_t used = 0;  // bytes at the start of the buffer that are done with
  Index line = 1;        // line number of the byte at `used`
  bool ended = false;
};

TableReader::TableReader(const std::string& path, CsvOptions options)
    : state_(std::make_unique<State>(path, std::move(options))) {}
TableReader::~TableReader() = default;
TableReader::TableReader(TableReader&&) noexcept = default;
TableReader& TableReader::operator=(TableReader&&) noexcept = default;

const std::vector<std::string>& TableReader::names() const { return state_->layout.names; }
bool TableReader::next(Table& block, Index max_rows) { return state_->next(block, max_rows); }

}  // namespace gnomon
