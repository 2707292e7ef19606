#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/json.hpp"
#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon::core_test {
namespace {

TEST(Random, IsPhilox) {
  // Known answer of Philox4x32-10 for zero counter and key: 6627e8d5 e169c58d bc57ac4c 9b00dbd8.
  Random random(0, 0);
  EXPECT_EQ(random.bits(), 0x9b00dbd8bc57ac4cull);
  EXPECT_EQ(random.bits(), 0xe169c58d6627e8d5ull);
}

TEST(Random, StreamsAreReproducibleAndDifferent) {
  EXPECT_EQ(Random(3, 5).bits(), Random(3, 5).bits());
  EXPECT_NE(Random(3, 5).bits(), Random(3, 6).bits());
  EXPECT_NE(Random(3, 5).bits(), Random(4, 5).bits());
}

TEST(Random, MomentsOfTheDistributions) {
  Random random(7);
  const int n = 200000;
  double mean = 0, square = 0, fourth = 0, uniform = 0;
  for (int i = 0; i < n; ++i) {
    const double z = random.normal();
    mean += z / n, square += z * z / n, fourth += z * z * z * z / n;
    const double u = random.uniform();
    ASSERT_GT(u, 0);
    ASSERT_LT(u, 1);
    uniform += u / n;
  }
  EXPECT_NEAR(mean, 0, 4 / std::sqrt(n));
  EXPECT_NEAR(square, 1, 4 * std::sqrt(2.0 / n));
  EXPECT_NEAR(fourth, 3, 4 * std::sqrt(96.0 / n));
  EXPECT_NEAR(uniform, 0.5, 4 * std::sqrt(1.0 / 12 / n));
}

TEST(Random, PermutationHoldsEveryIndexOnce) {
  Random random(2);
  auto order = random.permutation(100);
  std::sort(order.begin(), order.end());
  for (Index i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(Parallel, RunsEveryTaskOnceAndRethrows) {
  std::vector<std::atomic<int>> seen(1000);
  parallel_for(1000, [&](Index i) { ++seen[static_cast<std::size_t>(i)]; });
  for (const auto& count : seen) EXPECT_EQ(count, 1);
  EXPECT_THROW(parallel_for(100,
                            [](Index i) {
                              if (i == 50) fail("task {}", i);
                            }),
               Error);
  std::atomic<int> nested{0};
  parallel_for(4, [&](Index) { parallel_for(4, [&](Index) { ++nested; }); });
  EXPECT_EQ(nested, 16);
}

TEST(Text, NumbersAreParsedWholeOrNotAtAll) {
  EXPECT_EQ(parse_number("1e-3"), 1e-3);
  EXPECT_EQ(parse_number("+2"), 2);
  EXPECT_FALSE(parse_number("1x"));
  EXPECT_FALSE(parse_number(""));
  EXPECT_FALSE(parse_number(" 1"));
  EXPECT_FALSE(parse_number("1e999"));
}

TEST(Text, SplitsAndSuggests) {
  EXPECT_EQ(split("a, b,,c", ','), (std::vector<std::string>{"a", "b", "", "c"}));
  EXPECT_TRUE(split("", ',').empty());
  EXPECT_EQ(nearest_name("pirce", {"size", "price"}), "price");
  EXPECT_FALSE(nearest_name("zzz", {"size", "price"}));
  EXPECT_EQ(suggestion("Y", {"y"}), "; did you mean 'y'?");
  EXPECT_EQ(pretty(0.000123456), "0.0001235");
  EXPECT_EQ(pretty(undefined), "undefined");
}

TEST(Json, UndefinedNumbersAreNullAndMatricesKeepEveryBit) {
  EXPECT_TRUE(number_to_json(undefined).is_null());
  EXPECT_TRUE(number_to_json(HUGE_VAL).is_null());
  Random random(1);
  Matrix m(3, 4);
  for (Index j = 0; j < 4; ++j) m.col(j) = random.normal_vector(3) * 1e-200;
  EXPECT_EQ(matrix_from_json(nlohmann::json::parse(matrix_to_json(m).dump())), m);
  EXPECT_THROW(matrix_from_json({{"rows", 2}, {"cols", 2}, {"values", {1, 2, 3}}}), Error);
}

TEST(Json, WholeNumbersAreWholeAndSmallEnough) {
  EXPECT_EQ(whole_from_json(-3), -3);
  EXPECT_EQ(whole_from_json(12.0), 12);
  for (const nlohmann::json& wrong :
       std::vector<nlohmann::json>{1.5, 1e300, -1e300, ~std::uint64_t{0}, "3", nullptr, true})
    EXPECT_THROW(whole_from_json(wrong), Error) << wrong;
}

}  // namespace
}  // namespace gnomon::core_test
