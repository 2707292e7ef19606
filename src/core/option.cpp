#include "option.hpp"

#include <charconv>
#include <limits>

#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

void replace(std::string& text, const std::string& mark, const std::string& with) {
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + with.size()))
    text.replace(at, mark.size(), with);
}

template <class Number>
Number parsed(const std::string& name, const std::string& text, const char* what) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw UsageError(fmt::format("{} '{}' is not understood; give {} of at most {}", name, text, what,
                                 std::numeric_limits<Number>::max()));
  return value;
}

}  // namespace

bool is_on(const std::string& text) { return text == on_or_off(true); }

bool read_flag(const std::string& name, const std::string& text) {
  if (is_on(text) || text == "1") return true;
  if (text == on_or_off(false) || text == "0") return false;
  throw UsageError(
      fmt::format("{} '{}' is not understood; give {} or {}", name, text, on_or_off(true), on_or_off(false)));
}
std::string on_or_off(bool on) { return on ? "true" : "false"; }

int whole_number(const std::string& name, const std::string& text) {
  return parsed<int>(name, text, "a whole number");
}

std::uint64_t counting_number(const std::string& name, const std::string& text) {
  return parsed<std::uint64_t>(name, text, "a whole number from 0 on,");
}

std::string filled(std::string text, const std::vector<std::string>& allowed, const std::string& by_default,
                   const std::string& quote) {
  std::string names;
  const std::string between = quote.empty() ? ", " : " ";
  for (const auto& name : allowed) names += (names.empty() ? "" : between) + quote + name + quote;
  replace(text, "{allowed}", names);
  replace(text, "{default}", "[" + quote + by_default + quote + "]");
  return text;
}

}  // namespace gnomon
