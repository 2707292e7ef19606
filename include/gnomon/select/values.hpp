#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gnomon {

/// How the values of a parameter are spaced in lo:hi:count, and which are allowed.
enum class Spacing {
  logarithmic,  ///< values ≥ 0, 0 only in a list
  even,         ///< values in [0,1]
  none          ///< a list only, of either sign
};

/// How to read the values of one parameter.
struct ValueRule {
  std::string_view name;  ///< in messages
  Spacing spacing = Spacing::logarithmic;
  std::string_view automatic =
      "auto";             ///< the word that leaves the values to gnomon; an empty one: no text at all
  bool positive = false;  ///< spaced logarithmically: 0 is not allowed in a list either
};

/// Values of a parameter to try: left to gnomon, or named, as numbers or as text ("auto", "0.5", "a,b,c", "lo:hi:count").
/// What a text means depends on the parameter, so it is read with the parameter's rule.
class Values {
 public:
  Values() = default;  ///< left to gnomon
  Values(std::string text) : said_(std::move(text)) {}
  Values(std::string_view text) : said_(std::string(text)) {}
  Values(const char* text) : said_(std::string(text)) {}
  Values(double value) : said_(std::vector<double>{value}) {}
  template <std::integral Whole>
  Values(Whole value) : Values(static_cast<double>(value)) {}
  Values(std::vector<double> values) : said_(std::move(values)) {}
  Values(std::initializer_list<double> values) : said_(std::vector<double>(values)) {}

  /// Whether they are left to gnomon: nothing was said, or one of the words for it.
  bool automatic() const;
  /// As it was said; numbers as a,b,c.
  std::string text() const;
  /// Ascending, without repeats; empty if they are left to gnomon. Throws where the rule does not allow them.
  std::vector<double> read(const ValueRule& rule) const;

 private:
  std::variant<std::monostate, std::string, std::vector<double>> said_;
};

}  // namespace gnomon
