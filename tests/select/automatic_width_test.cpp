// `width` auto: the least blend over the widths, the same whatever else is asked, and the median where nothing can be told.

#include <gtest/gtest.h>

#include <cmath>

#include "gnomon/gnomon.hpp"
#include "represent/width.hpp"
#include "select/automatic_width.hpp"
#include "select/grid.hpp"

namespace gnomon::automatic_width_test {
namespace {

TrainingData waves(Index n, double frequency, double noise = 0.1, std::uint64_t seed = 5) {
  Random random(seed);
  TrainingData data{Matrix(n, 2), Matrix(n, 1), Vector(), {"y"}};
  for (Index j = 0; j < 2; ++j) data.x.col(j) = random.uniform_vector(n, -1, 1);
  for (Index i = 0; i < n; ++i)
    data.y(i, 0) = std::sin(frequency * data.x(i, 0)) + 0.3 * data.x(i, 1) + noise * random.normal();
  return data;
}

/// The least blend along the automatic grid, from its two criteria, each asked by itself.
double least_blend(const TrainingData& data, double width) {
  const Smoother smoother(data.x, data.y, data.weight,
                          {.representation = parse_kernel("gaussian", width),
                           .filter = tikhonov,
                           .strategy = Strategy::full,
                           .needs = {.leave_one_out = true}});
  const std::vector<double> lambdas = automatic_grid(smoother);
  const Vector left_out = judge(smoother, loo, lambdas).value,
               likelihood = judge(smoother, evidence, lambdas).value;
  double least = HUGE_VAL;
  for (Index k = 0; k < left_out.size(); ++k) {
    const double value = 0.75 * smoother.count() * std::log(left_out[k]) + 0.25 * likelihood[k];
    if (value < least) least = value;
  }
  return least;
}

double value_at(const WidthSearch& found, double width) {
  for (std::size_t k = 0; k < found.width.size(); ++k) {
    if (std::abs(found.width[k] / width - 1) < 1e-12) return found.value[k];
  }
  return undefined;
}

TEST(AutomaticWidth, IsTheLeastOfTheBlendAndThePrior) {
  for (const double frequency : {1.0, 4.0, 12.0}) {
    const TrainingData data = waves(60, frequency);
    const WidthSearch found = choose_width({}, data, {});
    const double median = median_distance(data.x, Vector());
    ASSERT_GE(found.width.size(), 6u);
    double least = HUGE_VAL, best = undefined;
    for (std::size_t k = 0; k < found.width.size(); ++k) {
      const double power = std::log2(found.width[k] / median);
      EXPECT_NEAR(power, std::round(power), 1e-12);
      const double value = least_blend(data, found.width[k]) + (power - 0.25) * (power - 0.25);
      EXPECT_NEAR(found.value[k], value, 1e-7 * std::abs(value)) << frequency << " at " << found.width[k];
      if (value < least) least = value, best = found.width[k];
    }
    EXPECT_EQ(found.chosen, best) << frequency;
  }
}

TEST(AutomaticWidth, IsNarrowerForFasterWaves) {
  const double slow = choose_width({}, waves(150, 2), {}).chosen,
               fast = choose_width({}, waves(150, 14), {}).chosen;
  EXPECT_LT(fast, slow);
}

TEST(AutomaticWidth, CriteriaJudgeLambdaAtTheWidthThatWasChosen) {
  const TrainingData data = waves(50, 6);
  const double width = choose_width({}, data, {}).chosen;
  for (const char* criterion : {"loo", "gcv", "sic", "cv"}) {
    SelectionRequest request;
    request.criteria = {criterion};
    const Selection automatic = select(data, request);
    request.width = width;
    const Selection named = select(data, request);
    EXPECT_EQ(automatic.targets[0].path()->chosen().lambda, named.targets[0].path()->chosen().lambda)
        << criterion;
    EXPECT_EQ(automatic.targets[0].path()->chosen().width, width) << criterion;
    ASSERT_TRUE(automatic.widths);
    EXPECT_FALSE(named.widths);
  }
}

TEST(AutomaticWidth, WeightsCountRows) {
  TrainingData weighted = waves(40, 3, 0.5);
  weighted.weight = Vector::Ones(40);
  weighted.weight.tail(10).setConstant(2);
  TrainingData repeated = waves(40, 3, 0.5);
  repeated.x.conservativeResize(50, 2);
  repeated.y.conservativeResize(50, 1);
  repeated.x.bottomRows(10) = weighted.x.bottomRows(10);
  repeated.y.bottomRows(10) = weighted.y.bottomRows(10);
  const WidthSearch a = choose_width({}, weighted, {}), b = choose_width({}, repeated, {});
  EXPECT_EQ(a.chosen, b.chosen);
  EXPECT_EQ(a.value, b.value);  // copies count once
}

TEST(AutomaticWidth, SeveralTargetsShareOneWidth) {
  TrainingData data = waves(60, 3);
  data.y.conservativeResize(60, 2);
  data.y.col(1) = waves(60, 9).y;
  data.target_names = {"slow", "fast"};
  const WidthSearch both = choose_width({}, data, {});
  TrainingData one = data;
  one.target_names = {"slow"};
  one.y = data.y.leftCols(1);
  const WidthSearch slow = choose_width({}, one, {});
  one.y = data.y.rightCols(1);
  const WidthSearch fast = choose_width({}, one, {});
  for (int power = -2; power <= 3; ++power) {
    const double width = both.median * std::exp2(power), prior = (power - 0.25) * (power - 0.25);
    const double sum = value_at(slow, width) + value_at(fast, width) - prior;
    EXPECT_NEAR(value_at(both, width), sum, 1e-7 * std::abs(sum)) << power;
  }
  EXPECT_EQ(select(data, {}).targets.size(), 2u);
}

TEST(AutomaticWidth, ManyRowsAreJudgedOnSomeOfThem) {
  const TrainingData data = waves(700, 6);
  const WidthSearch found = choose_width({}, data, {});
  EXPECT_LE(found.width.size(), 5u);  // the best of a sample and its neighbours, on all rows
  double least = HUGE_VAL;
  for (std::size_t k = 0; k < found.width.size(); ++k) least = std::min(least, found.value[k]);
  const double power = std::log2(found.chosen / found.median);
  EXPECT_NEAR(least_blend(data, found.chosen) + (power - 0.25) * (power - 0.25), least,
              1e-7 * std::abs(least));
}

TEST(AutomaticWidth, CopiesDoNotDriveTheChoiceToAFitThroughThem) {
  TrainingData copied = waves(60, 3, 0.5);
  copied.x.conservativeResize(90, 2);
  copied.y.conservativeResize(90, 1);
  copied.x.bottomRows(30) = copied.x.topRows(30);
  copied.y.bottomRows(30) = copied.y.topRows(30);
  const Selection s = select(copied, {});
  EXPECT_LE(s.targets[0].chosen_df, 0.8 * 60 * (1 + 1e-9));
  EXPECT_GT(s.targets[0].chosen_train_error, 0.05);  // the noise has variance 0.25
}

TEST(AutomaticWidth, IsTheMedianWhereNothingCanBeTold) {
  TrainingData constant = waves(30, 3);
  constant.y.setConstant(2);
  EXPECT_EQ(choose_width({}, constant, {}).chosen, median_distance(constant.x, Vector()));
  const TrainingData few = waves(5, 3);
  EXPECT_EQ(choose_width({}, few, {}).chosen, median_distance(few.x, Vector()));
  TrainingData shifted = waves(30, 3);
  shifted.importance = Vector::Ones(30);
  EXPECT_FALSE(chooses_width({}, shifted));
  SelectionRequest median;
  median.width = "median";
  EXPECT_FALSE(chooses_width(median, waves(30, 3)));
}

TEST(AutomaticWidth, WidthsNotChosenAreJudgedAsInTheSearch) {
  const TrainingData data = waves(60, 4);
  const SelectionRequest request;
  const WidthSearch found = choose_width(request, data, {});
  const auto others = widths_not_chosen(request, data, found);
  ASSERT_EQ(others.size() + 1, found.width.size());
  for (const JudgedWidth& other : others) {
    EXPECT_NE(other.width, found.chosen);
    const double least = judged_width_values(*other.smoother, other.lambdas, other.width, found).minCoeff();
    EXPECT_NEAR(least, value_at(found, other.width), 1e-9 * std::abs(least));
  }
}

TEST(AutomaticWidth, IsNotChosenAgainWhereItWasChosenOtherwise) {
  const auto again = [](const TrainingData& data, const SelectionRequest& request) {
    return !widths_not_chosen(request, data, choose_width(request, data, {})).empty();
  };
  const TrainingData data = waves(40, 4);
  EXPECT_TRUE(again(data, {}));
  SelectionRequest named;
  named.lambda = "0.01:1:5";
  EXPECT_FALSE(again(data, named));
  SelectionRequest cautious;
  cautious.rule = Rule::one_standard_error;
  EXPECT_FALSE(again(data, cautious));
  TrainingData copied = data;
  copied.x.row(1) = copied.x.row(0), copied.y.row(1) = copied.y.row(0);
  EXPECT_FALSE(again(copied, {}));
  EXPECT_FALSE(again(waves(301, 4), {}));
}

/// Having chosen the width from the same rows costs something, and the error after choosing says so (bench/regret/coverage.md).
TEST(AutomaticWidth, ItsChoiceIsPartOfTheErrorAfterChoosing) {
  double log_ratio = 0;
  constexpr int sets = 40;
  for (std::uint64_t seed = 0; seed < sets; ++seed) {
    const TrainingData data = waves(30, 4, 0.4, 100 + seed);
    SelectionRequest request;
    request.chosen_error = true;
    const Selection chosen = select(data, request);
    request.width = chosen.widths->chosen;
    const Selection named = select(data, request);
    EXPECT_EQ(chosen.targets[0].path()->chosen().lambda, named.targets[0].path()->chosen().lambda);
    log_ratio += std::log(chosen.targets[0].error->value / named.targets[0].error->value) / sets;
  }
  EXPECT_GT(log_ratio, 0.01);
  EXPECT_LT(log_ratio, 0.3);
}

}  // namespace
}  // namespace gnomon::automatic_width_test
