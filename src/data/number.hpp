#pragma once

#include <fast_float/fast_float.h>

#include <bit>
#include <cstdint>
#include <cstring>

namespace gnomon::detail {

inline std::uint64_t load8(const char* p) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t word;
  std::memcpy(&word, p, 8);
  return word;
}

/// How many of the eight characters, from the first on, are decimal digits.
inline int leading_digits(std::uint64_t word) {
  const std::uint64_t other =
      ((word + 0x4646464646464646u) | (word - 0x3030303030303030u)) & 0x8080808080808080u;
  return other ? std::countr_zero(other) >> 3 : 8;
}

/// The number written by eight digits, each byte 0…9: pairs, then fours, then all, inside one word.
inline std::uint64_t eight_digits(std::uint64_t v) {
  v = v * 10 + (v >> 8);
  return ((v & 0x000000FF000000FFu) * 0x000F424000000064u +
          ((v >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u) >>
         32;
}

/// The number written by the first `count` < 8 characters.
inline std::uint64_t few_digits(std::uint64_t word, int count) {
  return eight_digits(((word - 0x3030303030303030u) << (8 * (7 - count))) << 8);
}

inline constexpr std::uint64_t integer_power10[] = {1,      10,      100,      1000,     10000,
                                                    100000, 1000000, 10000000, 100000000};
inline constexpr double exact_power10[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                           1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// Reads a decimal number at p, exactly rounded: returns the first character after it, nullptr if there is
/// none. Up to 7 digits before the point and 19 in all take a path without per-digit branches: eight digits
/// per word, then one exact division (Clinger 1990) or the 128-bit product of Eisel and Lemire (Lemire 2021),
/// as in fast_float. Everything else, and the rare undecided rounding, goes to fast_float::from_chars.
[[gnu::always_inline]] inline const char* parse_decimal(const char* p, const char* end, double& value) {
  const char* const start = p;
  auto general = [&]() -> const char* {
    const auto [after, error] = fast_float::from_chars(start, end, value);
    return error == std::errc::invalid_argument ? nullptr : after;
  };
  if (end - p < 64) return general();
  // Signs are hard to predict, so they are moved as bits instead of branched on.
  const std::uint64_t negative = *p == '-' ? 1 : 0;
  p += negative;
  auto with_sign = [&](double magnitude) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | negative << 63);
  };
  std::uint64_t mantissa = static_cast<unsigned char>(*p - '0');
  int whole_digits = 1;
  if (mantissa > 9 || p[1] != '.') {
    const std::uint64_t head = load8(p);
    whole_digits = leading_digits(head);
    if (whole_digits == 0 || whole_digits == 8) return general();
    mantissa = few_digits(head, whole_digits);
  }
  const bool whole_zero = mantissa == 0;
  p += whole_digits;
  int decimals = 0;
  if (*p == '.') {
    ++p;
    std::uint64_t word = load8(p);
    int digits = leading_digits(word);
    // The steps are constants, so that the processor can run ahead without waiting for the digit counts.
    for (; digits == 8; word = load8(p), digits = leading_digits(word)) {
      mantissa = mantissa * 100000000u + eight_digits(word - 0x3030303030303030u);
      p += 8;
      decimals += 8;
      if (decimals == 24) return general();
    }
    mantissa = mantissa * integer_power10[digits] + few_digits(word, digits);
    p += digits;
    decimals += digits;
    if (decimals + (whole_zero ? 0 : whole_digits) > 19) return general();
  }
  int exponent = -decimals;
  if ((*p | 0x20) == 'e') {
    ++p;
    const bool down = *p == '-';
    p += down || *p == '+';
    const std::uint64_t word = load8(p);
    const int digits = leading_digits(word);
    if (digits == 0 || digits > 4) return general();
    const int written = static_cast<int>(few_digits(word, digits));
    exponent += down ? -written : written;
    p += digits;
  }
  if (mantissa <= (std::uint64_t{1} << 53) && exponent >= -22 && exponent <= 22) {
    const auto m = static_cast<double>(mantissa);
    value = with_sign(exponent < 0 ? m / exact_power10[-exponent] : m * exact_power10[exponent]);
    return p;
  }
  const auto rounded = fast_float::compute_float<fast_float::binary_format<double>>(exponent, mantissa);
  if (rounded.power2 < 0) return general();
  double magnitude;
  fast_float::to_float(false, rounded, magnitude);
  value = with_sign(magnitude);
  return p;
}

}  // namespace gnomon::detail
