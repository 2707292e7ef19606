#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon {

/// "a, b, c"
std::string join(const std::vector<std::string>& parts, std::string_view separator = ", ");

/// Pieces between separators, with surrounding blanks removed; an empty text has no pieces.
std::vector<std::string> split(std::string_view text, char separator);

/// The whole text as a finite or infinite double, exactly rounded; nothing if any character is left over.
std::optional<double> parse_number(std::string_view text);

/// The candidate with the smallest edit distance to `name`, if it is near enough to be a likely typo.
std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// `; did you mean 'x'?` or an empty text, ready to be appended to an error message.
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

/// A number for people: up to `digits` significant digits, no trailing zeros, exponents only where needed.
std::string pretty(double value, int digits = 4);

/// The decimal place of the second digit of a positive number: −3 for 0.012.
int second_digit(double number);
/// A number to a decimal place, without exponent.
std::string rounded(double value, int place);
/// "0.0432 ± 0.0061": the error to two digits, the value to the same place; the value alone where there is no error.
std::string with_error(double value, double standard_error);

/// At most about sixty characters of a text from a file, "…" for the rest.
std::string shortened(std::string_view text);

/// "1 row", "3 rows"
std::string counted(std::ptrdiff_t count, std::string_view noun);

}  // namespace gnomon
