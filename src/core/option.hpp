#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gnomon {

enum class OptionKind {
  text,     ///< a name, a list, a range, …: what is allowed is part of its meaning
  whole,    ///< a whole number
  counter,  ///< a whole number from 0 to 2⁶⁴ − 1
  flag      ///< on or off: "true" or "false"
};

/// One option of an Owner: the row of a table that feeds the flags of the command and their help, the refusal of what does
/// not apply, `settings` in JSON and in the report, the tables of docs/cli.md, and the keywords of other languages.
template <class Owner>
struct Option {
  std::string name{};   ///< "decay-groups": a flag is --decay-groups, a keyword decay_groups
  std::string group{};  ///< the heading it stands under
  OptionKind kind = OptionKind::text;
  /// Its meaning in one line. {allowed} stands for the names it takes.
  std::string help{};
  /// Its meaning in full, for the manual (Markdown): {allowed} as above, {default} its default in brackets.
  std::string manual{};
  std::function<void(Owner&, const std::string&)>
      set{};                                       ///< throws a UsageError where the text means nothing
  std::function<std::string(const Owner&)> get{};  ///< as it was set; its default where it was not
  std::vector<std::string> allowed{};              ///< the names it takes, where it takes names
  /// Why it does not apply, as the rest of a sentence that begins with its name; empty where it applies.
  std::function<std::string(const Owner&)> refusal{};
  std::string label{};        ///< what reports call it; empty: its name
  bool shows_default = true;  ///< help shows the default; false where it depends on other options
};

/// The texts of a flag.
bool is_on(const std::string& text);
/// The same of a text that somebody gave: also 1 and 0.
bool read_flag(const std::string& name, const std::string& text);
std::string on_or_off(bool on);

/// A whole number that an int can hold; any other text is a UsageError.
int whole_number(const std::string& name, const std::string& text);
/// The same from 0 to 2⁶⁴ − 1.
std::uint64_t counting_number(const std::string& name, const std::string& text);

/// A text with {allowed} and {default} filled in; `quote` goes around every name.
std::string filled(std::string text, const std::vector<std::string>& allowed, const std::string& by_default,
                   const std::string& quote);

}  // namespace gnomon
