#include "data/number.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <string>

#include "gnomon/core/random.hpp"

namespace gnomon::number_test {
namespace {

/// Parses with room behind the number (fast path) and without (general path), and with strtod as the
/// reference.
void expect_exact(const std::string& text) {
  const double truth = std::strtod(text.c_str(), nullptr);
  const std::string roomy = text + "," + std::string(80, '7');
  for (const std::string& shown : {roomy, text}) {
    double value = -1;
    const char* const after = detail::parse_decimal(shown.data(), shown.data() + shown.size(), value);
    ASSERT_EQ(after, shown.data() + text.size()) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(truth)) << text;
  }
}

TEST(ParseDecimal, RandomBitPatternsInManyFormats) {
  Random random(7);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::bit_cast<double>(random.bits());
    if (!std::isfinite(value)) continue;
    expect_exact(fmt::format("{:.17g}", value));
    expect_exact(fmt::format("{:.16e}", value));
  }
}

TEST(ParseDecimal, OrdinarySizesWithAnyNumberOfDigits) {
  Random random(8);
  for (int i = 0; i < 20000; ++i) {
    const double value = random.normal() * std::pow(10.0, static_cast<double>(random.below(9)));
    const int digits = static_cast<int>(random.below(25));
    expect_exact(fmt::format("{:.{}f}", value, digits));
    expect_exact(fmt::format("{:.{}e}", value, digits));
    expect_exact(fmt::format("{}", value));
  }
}

TEST(ParseDecimal, HalfwayCases) {
  for (const char* text : {"9007199254740993",
                           "9007199254740993.0",
                           "9007199254740992.5",
                           "1.00000000000000011102",
                           "1.000000000000000111022302462515654042363166809082031250000001",
                           "2.2250738585072011e-308",
                           "4.9e-324",
                           "2.4703282292062327e-324",
                           "1.7976931348623157e308",
                           "0.1",
                           "-0",
                           "-0.0",
                           "0e5",
                           "1.",
                           "00012.50",
                           "0000000000000000000001.5",
                           "1E5",
                           "1e+05",
                           "0.000000000000000000012345",
                           "12345678",
                           "1234567.1234567890123",
                           "1e22",
                           "1e23"})
    expect_exact(text);
}

TEST(ParseDecimal, RefusesWhatIsNoNumber) {
  for (const std::string text : {"abc", "-", "", "e5", "."}) {
    double value = 0;
    const std::string roomy = text + std::string(80, 'x');
    EXPECT_EQ(detail::parse_decimal(roomy.data(), roomy.data() + roomy.size(), value), nullptr) << text;
  }
}

}  // namespace
}  // namespace gnomon::number_test
