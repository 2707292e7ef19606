#include "gnomon/shift/verdict.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "represent/gram.hpp"
#include "samples_of.hpp"
#include "shift/two_sample_test.hpp"

namespace gnomon::verdict_test {
namespace {

using shift_test::KnownShift;
using shift_test::normal;

TEST(TwoSampleTest, StatisticEqualsItsDefinition) {
  const Matrix train = normal(13, 1, 1), test = normal(9, 1, 2, 0.5);
  const TwoSampleTest result = two_sample_test(train, test);
  Vector all(22);
  all << train, test;
  const double deviation = std::sqrt((all.array() - all.mean()).square().sum() / 21);
  const auto mean_kernel = [&](const Matrix& a, const Matrix& b) {
    return cross_gram(Gaussian{result.width * deviation}, a, b).mean();
  };
  EXPECT_NEAR(result.statistic,
              mean_kernel(train, train) - 2 * mean_kernel(train, test) + mean_kernel(test, test), 1e-12);
}

TEST(TwoSampleTest, PValueIsUniformWithoutShift) {
  // 200 trials: the share below 0.1 has standard error 0.021, the mean 0.020.
  double below = 0, mean = 0;
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const double p = two_sample_test(normal(25, 2, 3 * trial + 1), normal(35, 2, 3 * trial + 90001),
                                     {.seed = trial, .permutations = 99})
                         .p_value;
    below += p <= 0.1;
    mean += p / 200;
  }
  EXPECT_NEAR(below / 200, 0.1, 3.5 * 0.021);
  EXPECT_NEAR(mean, 0.5, 3.5 * 0.02);
}

TEST(TwoSampleTest, SeesShiftsOfMeanAndOfSpread) {
  const Matrix train = normal(200, 3, 1);
  EXPECT_EQ(two_sample_test(train, normal(200, 3, 2, 1)).p_value, 1.0 / 1000);
  EXPECT_LT(two_sample_test(train, normal(200, 3, 2, 0, 2)).p_value, 0.01);
}

TEST(TwoSampleTest, RepeatsWithTheSeedWhateverTheThreadsAndTheRowOrder) {
  const Matrix train = normal(150, 2, 1), test = normal(120, 2, 2, 0.15);
  set_threads(1);
  const TwoSampleTest one = two_sample_test(train, test, {.seed = 5});
  set_threads(3);
  const TwoSampleTest three = two_sample_test(train, test, {.seed = 5});
  set_threads(0);
  EXPECT_EQ(one.p_value, three.p_value);
  EXPECT_EQ(one.statistic, three.statistic);
  EXPECT_EQ(two_sample_test(train.colwise().reverse(), test, {.seed = 5}).p_value, one.p_value);
}

TEST(TwoSampleTest, SubsamplesLargeSamplesInProportion) {
  const TwoSampleTest result = two_sample_test(normal(3000, 1, 1), normal(1000, 1, 2), {.permutations = 19});
  EXPECT_TRUE(result.subsampled);
  EXPECT_EQ(result.train_rows, 1500);
  EXPECT_EQ(result.test_rows, 500);
}

TEST(TwoSampleTest, EqualRowsAreNoShift) {
  EXPECT_EQ(two_sample_test(Matrix::Ones(5, 2), Matrix::Ones(4, 2)).p_value, 1);
  Matrix half(6, 1);
  half << 0, 0, 0, 1, 1, 1;
  EXPECT_EQ(two_sample_test(half, half).p_value, 1);
  EXPECT_THROW(two_sample_test(half.topRows(1), half), Error);
}

TEST(Verdict, NoShift) {
  const Matrix train = normal(400, 2, 1), test = normal(300, 2, 2);
  for (const auto& method : ratio_methods()) {
    const auto verdict = judge_shift(train, test, estimate_density_ratio(method, train, test).train_weight);
    EXPECT_EQ(verdict.kind, ShiftKind::none) << method;
    EXPECT_TRUE(verdict.sentence.starts_with("no shift:")) << verdict.sentence;
    EXPECT_EQ(verdict.sentence, fmt::format("{}: {}", in_words(verdict.kind), verdict.reason));
    EXPECT_TRUE(verdict.warnings.empty()) << method << ": " << verdict.warnings.front();
  }
}

TEST(Verdict, UsableShift) {
  const KnownShift shift(500, 2, 4);
  for (const auto& method : ratio_methods()) {
    const auto verdict = judge_shift(shift.train, shift.test,
                                     estimate_density_ratio(method, shift.train, shift.test).train_weight);
    EXPECT_EQ(verdict.kind, ShiftKind::usable) << method << ": " << verdict.sentence;
    EXPECT_TRUE(verdict.sentence.starts_with("shift, usable:")) << verdict.sentence;
  }
}

TEST(Verdict, SevereShiftAndItsWarnings) {
  const Matrix train = normal(300, 1, 1), test = normal(200, 1, 2, 3, 0.5);
  const Vector w =
      train.col(0).unaryExpr([](double v) { return std::exp(0.5 * v * v - 2 * (v - 3) * (v - 3)); });
  VerdictOptions options;
  options.input_names = {"age"};
  const auto verdict = judge_shift(train, test, w, options);
  EXPECT_EQ(verdict.kind, ShiftKind::severe);
  EXPECT_TRUE(verdict.sentence.starts_with("shift, severe:")) << verdict.sentence;
  const auto warned = [&](std::string_view words) {
    return std::any_of(verdict.warnings.begin(), verdict.warnings.end(),
                       [&](const std::string& text) { return text.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(warned("effective sample size"));
  EXPECT_TRUE(warned("outside the range of the training inputs"));
  EXPECT_TRUE(warned("'age'"));
  EXPECT_TRUE(warned("extrapolating"));
  EXPECT_TRUE(warned("(data row "));
  ASSERT_EQ(verdict.largest.size(), 10u);
  Index top = 0;
  w.maxCoeff(&top);
  EXPECT_EQ(verdict.largest[0], top);
  EXPECT_TRUE(std::is_sorted(verdict.largest.begin(), verdict.largest.end(),
                             [&](Index a, Index b) { return w[a] > w[b]; }));
  const double high = train.maxCoeff();
  EXPECT_DOUBLE_EQ(verdict.outside_share, static_cast<double>((test.array() > high).count()) / 200);
}

TEST(Verdict, RefusesWeightsThatAreNone) {
  const Matrix x = normal(20, 1, 1);
  EXPECT_THROW(judge_shift(x, x, Vector::Zero(20)), Error);
  EXPECT_THROW(judge_shift(x, x, Vector::Ones(19)), Error);
}

}  // namespace
}  // namespace gnomon::verdict_test
