#include "cbor_nesting.hpp"

#include <limits>
#include <optional>
#include <vector>

namespace gnomon {
namespace {

constexpr std::uint64_t until_break = std::numeric_limits<std::uint64_t>::max();

/// The head of a value: its kind and the number that belongs to it.
struct Head {
  enum Kind { number, other_number, bytes, text, array, map, tag, simple } kind;
  std::uint64_t argument;  ///< until_break: the end is marked
  bool is_break;
};

/// Takes the head off the front; nothing where the bytes end early or mean nothing.
std::optional<Head> take_head(std::span<const std::uint8_t>& rest) {
  if (rest.empty()) return std::nullopt;
  const std::uint8_t first = rest.front();
  rest = rest.subspan(1);
  const auto kind = static_cast<Head::Kind>(first >> 5);
  const unsigned low = first & 0x1f;
  if (low < 24) return Head{kind, low, false};
  if (low == 31) return Head{kind, until_break, kind == Head::simple};
  if (low > 27) return std::nullopt;
  const std::size_t width = std::size_t{1} << (low - 24);
  if (rest.size() < width) return std::nullopt;
  std::uint64_t argument = 0;
  for (std::size_t i = 0; i < width; ++i) argument = argument << 8 | rest[i];
  rest = rest.subspan(width);
  return Head{kind, argument, false};
}

}  // namespace

bool is_shallow_cbor(std::span<const std::uint8_t> bytes, std::size_t most) {
  std::vector<std::uint64_t> open;  // for each level: how many values are still to come
  std::span<const std::uint8_t> rest = bytes;
  do {
    const std::optional<Head> head = take_head(rest);
    if (!head || head->kind == Head::tag) return false;
    if (head->is_break) {
      if (open.empty() || open.back() != until_break) return false;
      open.pop_back();
    } else {
      if (!open.empty() && open.back() != until_break) --open.back();
      const bool string = head->kind == Head::bytes || head->kind == Head::text;
      const bool list = head->kind == Head::array || head->kind == Head::map;
      const bool pieces = string && head->argument == until_break;
      if (list || pieces) {
        // Every value takes a byte: a list cannot have more of them than there are bytes left.
        const std::uint64_t each = head->kind == Head::map ? 2 : 1;
        if (head->argument != until_break && head->argument > rest.size() / each) return false;
        open.push_back(head->argument == until_break ? until_break : head->argument * each);
        if (open.size() > most) return false;
      } else if (string) {
        if (head->argument > rest.size()) return false;
        rest = rest.subspan(static_cast<std::size_t>(head->argument));
      } else if (head->argument == until_break) {
        return false;
      }
    }
    while (!open.empty() && open.back() == 0) open.pop_back();
  } while (!open.empty());
  return rest.empty();
}

}  // namespace gnomon
