#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>
#include <string>
#include <system_error>

#include "typed_flags.hpp"

namespace gnomon::app {

/// A flag of the command for one option of `select`; what is typed goes to `typed`, which must outlive the command.
void add_flag(CLI::App& command, const Option<SelectFlags>& option, Typed& typed);

/// "" or what is wrong with the text of a number of this kind.
template <class Whole>
std::string trouble_of_whole(const std::string& text) {
  Whole value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size()) return "";
  return fmt::format("must be a whole number of at most {}, not {}", std::numeric_limits<Whole>::max(), text);
}
std::string trouble_of_number(const std::string& text);
/// Of a whole number from 0 to 2⁶⁴ − 1.
std::string trouble_of_counter(const std::string& text);

}  // namespace gnomon::app
