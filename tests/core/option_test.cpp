// Numbers of the table of options, from texts.

#include "core/option.hpp"

#include <gtest/gtest.h>

#include "gnomon/core/error.hpp"

namespace gnomon::option_test {
namespace {

TEST(Option, WholeNumbersAreReadToTheEnd) {
  EXPECT_EQ(whole_number("repeats", "-12"), -12);
  for (const char* text : {"", "1.5", "1e3", "2 ", "3000000000", "x"})
    EXPECT_THROW(whole_number("repeats", text), UsageError) << text;
}

TEST(Option, CountersHaveNoSign) {
  EXPECT_EQ(counting_number("seed", "18446744073709551615"), 18446744073709551615u);
  for (const char* text : {"", "-1", "1.5", "1e300", "18446744073709551616"})
    EXPECT_THROW(counting_number("seed", text), UsageError) << text;
}

TEST(Option, FlagsAreOnOrOffAndNothingElse) {
  for (const char* text : {"true", "1"}) EXPECT_TRUE(read_flag("intercept", text));
  for (const char* text : {"false", "0"}) EXPECT_FALSE(read_flag("intercept", text));
  for (const char* text : {"", "yes", "True", "2"})
    EXPECT_THROW(read_flag("intercept", text), UsageError) << text;
}

}  // namespace
}  // namespace gnomon::option_test
