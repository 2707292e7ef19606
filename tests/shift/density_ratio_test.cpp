// What every method must do, run over the whole list.
#include "gnomon/shift/density_ratio.hpp"

#include <gtest/gtest.h>

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/data/weights.hpp"
#include "samples_of.hpp"

namespace gnomon::density_ratio_test {
namespace {

using shift_test::correlation;
using shift_test::KnownShift;
using shift_test::normal;
using shift_test::root_mean_square;

class EveryRatio : public ::testing::TestWithParam<std::string> {
 protected:
  std::string method() const { return GetParam(); }
  DensityRatio estimate(const Matrix& train, const Matrix& test, RatioOptions options = {}) const {
    return estimate_density_ratio(method(), train, test, options);
  }
  /// What the method aims at where the ratio is w.
  Vector target(const Vector& w) const {
    return method() == "rulsif" ? Vector(w.array() / (0.1 * w.array() + 0.9)) : w;
  }
};

INSTANTIATE_TEST_SUITE_P(Methods, EveryRatio, ::testing::ValuesIn(ratio_methods()), [](const auto& instance) {
  std::string name = instance.param;
  std::erase(name, '-');
  return name;
});

TEST_P(EveryRatio, RecoversAKnownRatioAndImprovesWithData) {
  const KnownShift small(100, 1, 1), large(1000, 1, 1);
  const Vector truth = target(KnownShift::ratio(large.train));
  const DensityRatio ratio = estimate(large.train, large.test);
  EXPECT_GT(correlation(ratio.train_weight, truth), 0.97);
  EXPECT_LT(root_mean_square(ratio.train_weight - truth), 0.15);
  // At new points, too, and better than from a tenth of the rows.
  const Matrix fresh = normal(500, 1, 77);
  const Vector truth_there = target(KnownShift::ratio(fresh));
  const double error = root_mean_square(ratio.at(fresh) - truth_there);
  EXPECT_LT(error, 0.2);
  EXPECT_LT(error, root_mean_square(estimate(small.train, small.test).at(fresh) - truth_there));
}

TEST_P(EveryRatio, FindsTheShiftedInputAmongOthers) {
  const KnownShift shift(1000, 2, 3);
  const Vector truth = target(KnownShift::ratio(shift.train));
  EXPECT_GT(correlation(estimate(shift.train, shift.test).train_weight, truth), 0.9);
}

TEST_P(EveryRatio, IsNearOneWithoutShift) {
  for (const Index d : {1, 2}) {
    const DensityRatio ratio = estimate(normal(800, d, 41), normal(800, d, 42));
    EXPECT_LT((ratio.train_weight.array() - 1).abs().mean(), 0.2) << d;
    EXPECT_GT(effective_sample_size(ratio.train_weight), 0.9 * 800) << d;
  }
}

TEST_P(EveryRatio, EightInputsWithoutShift) {
  const DensityRatio ratio = estimate(normal(500, 8, 41), normal(400, 8, 42));
  const double deviation = (ratio.train_weight.array() - 1).abs().mean();
  if (method().starts_with("kde")) {  // known to fail here, and says so
    EXPECT_TRUE(!ratio.warnings.empty() || deviation < 0.3);
  } else {
    EXPECT_LT(deviation, 0.3);
  }
}

TEST_P(EveryRatio, WeightsAreTheRatioAtTheTrainingRows) {
  const KnownShift shift(120, 2, 5);
  const DensityRatio ratio = estimate(shift.train, shift.test);
  EXPECT_EQ(ratio.method, method());
  EXPECT_EQ(ratio.at(shift.train), ratio.train_weight);
  EXPECT_EQ(ratio.at(shift.train.row(17))[0], ratio.train_weight[17]);
  EXPECT_GE(ratio.train_weight.minCoeff(), 0);
  const Matrix far{{1e3, 0}, {-1e3, 1e3}, {1e8, -1e8}, {1e200, 1e200}};
  const Vector there = ratio.at(far);
  EXPECT_TRUE(there.allFinite()) << there.transpose();
  EXPECT_GE(there.minCoeff(), 0);
}

TEST_P(EveryRatio, RowOrderDoesNotMatter) {
  const KnownShift shift(150, 2, 6);
  const auto order = Random(1).permutation(150), other = Random(2).permutation(150);
  const Vector w = estimate(shift.train, shift.test).train_weight;
  const Vector permuted =
      estimate(shift.train(order, Eigen::all), shift.test(other, Eigen::all)).train_weight;
  EXPECT_LT((permuted - w(order)).cwiseAbs().maxCoeff(), 1e-8);
}

TEST_P(EveryRatio, UnitsDoNotMatter) {
  const KnownShift shift(150, 2, 7);
  const auto in_other_units = [](Matrix x) {
    x.col(0) = (1000 * x.col(0)).array() - 5e4;
    x.col(1) = (1e-3 * x.col(1)).array() + 2;
    return x;
  };
  const Vector w = estimate(shift.train, shift.test).train_weight;
  const Vector rescaled = estimate(in_other_units(shift.train), in_other_units(shift.test)).train_weight;
  EXPECT_LT((rescaled - w).cwiseAbs().maxCoeff(), 1e-5 * (1 + w.maxCoeff()));
}

TEST_P(EveryRatio, ThreadsDoNotMatterAndSeedsRepeat) {
  const KnownShift shift(300, 2, 8);
  set_threads(1);
  const Vector one = estimate(shift.train, shift.test, {.seed = 3}).train_weight;
  set_threads(3);
  const Vector three = estimate(shift.train, shift.test, {.seed = 3}).train_weight;
  set_threads(0);
  EXPECT_LT((one - three).cwiseAbs().maxCoeff(), 1e-8);
}

TEST_P(EveryRatio, ConstantColumnsChangeNothing) {
  const KnownShift shift(100, 1, 9);
  Matrix train(100, 2), test(100, 2);
  train << shift.train, Vector::Constant(100, 3.5);
  test << shift.test, Vector::Constant(100, 3.5);
  EXPECT_EQ(estimate(train, test).train_weight, estimate(shift.train, shift.test).train_weight);
}

TEST_P(EveryRatio, TakesRepeatsDiscreteInputsAndFewRows) {
  Random random(4);
  const Matrix train =
      Matrix::NullaryExpr(90, 2, [&](Index, Index) { return static_cast<double>(random.below(3)); });
  const Matrix test =
      Matrix::NullaryExpr(70, 2, [&](Index, Index) { return static_cast<double>(random.below(2)); });
  const DensityRatio ratio = estimate(train, test);
  EXPECT_TRUE(ratio.train_weight.allFinite());
  double inside = 0, outside = 0;
  for (Index i = 0; i < 90; ++i) (train.row(i).maxCoeff() < 2 ? inside : outside) += ratio.train_weight[i];
  EXPECT_GT(inside, outside);
  EXPECT_TRUE(estimate(normal(5, 1, 1), normal(6, 1, 2)).train_weight.allFinite());
}

TEST_P(EveryRatio, DisjointSamplesAreReportedNotHidden) {
  const Matrix train = normal(50, 1, 1), test = normal(50, 1, 2, 100);
  try {
    const DensityRatio ratio = estimate(train, test);
    EXPECT_TRUE(ratio.train_weight.allFinite());
    EXPECT_GE(ratio.train_weight.minCoeff(), 0);
    EXPECT_TRUE(!ratio.warnings.empty() || !(effective_sample_size(ratio.train_weight) > 25));
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("out of reach"), std::string::npos) << e.what();
  }
}

std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(DensityRatio, BadInputGetsOneClearLine) {
  const Matrix x = normal(20, 2, 1);
  EXPECT_EQ(message([&] { estimate_density_ratio("ulsif", x.topRows(2), x); }),
            "the training sample has 2 rows: at least 5 are needed");
  EXPECT_EQ(message([&] { estimate_density_ratio("kde", x, Matrix(0, 2)); }),
            "the test sample has 0 rows: at least 5 are needed");
  EXPECT_EQ(message([&] { estimate_density_ratio("kde", x, x.topRows(1)); }),
            "the test sample has 1 row: at least 5 are needed");
  EXPECT_EQ(message([&] { estimate_density_ratio("kde", x, x.leftCols(1)); }),
            "the training sample has 2 columns and the test sample 1: give the same features in both");
  EXPECT_EQ(message([&] { estimate_density_ratio("kde", Matrix(9, 0), Matrix(9, 0)); }),
            "the samples have no columns: give at least one input");
  EXPECT_EQ(message([&] { estimate_density_ratio("kde", Matrix::Ones(9, 2), Matrix::Ones(9, 2)); }),
            "every input is constant over both samples: there is nothing to compare");
  Matrix holed = x;
  holed(3, 1) = undefined;
  EXPECT_EQ(message([&] { estimate_density_ratio("kmm", x, holed); }),
            "row 4, column 2 of the test sample is nan: inputs must be finite");
  EXPECT_EQ(message([&] { estimate_density_ratio("kde", x, x).at(x.leftCols(1)); }),
            "new inputs have 1 columns where the samples have 2: give the same features");
  EXPECT_EQ(message([&] { estimate_density_ratio("rulsif", x, x, {.alpha = 1}); }),
            "alpha is 1: it must be 0 or more and less than 1");
  EXPECT_EQ(message([&] { estimate_density_ratio("kmm", x, x, {.width = -1.0}); }),
            "the kernel width is -1: it must be positive and finite");
  EXPECT_EQ(message([] { DensityRatio{}.at(Matrix::Ones(1, 1)); }),
            "this density ratio was not estimated: call estimate_density_ratio");
}

TEST(DensityRatio, UnknownMethodsAreAUsageErrorWithASuggestion) {
  EXPECT_THROW(find_ratio_method("ulsfi"), UsageError);
  const std::string text = message([] { find_ratio_method("ulsfi"); });
  EXPECT_NE(text.find("kde, kde-cv, ulsif, rulsif, kliep, kmm, logistic"), std::string::npos) << text;
  EXPECT_NE(text.find("did you mean 'ulsif'?"), std::string::npos) << text;
  for (const auto& name : ratio_methods()) EXPECT_NO_THROW(find_ratio_method(name));
}

TEST(DensityRatio, GivenParametersAreUsed) {
  const KnownShift shift(100, 1, 9);
  const auto ratio =
      estimate_density_ratio("ulsif", shift.train, shift.test, {.centres = 7, .width = 0.8, .lambda = 0.3});
  const std::vector<std::pair<std::string, double>> expected{{"width", 0.8}, {"lambda", 0.3}, {"centres", 7}};
  EXPECT_EQ(ratio.parameters, expected);
  const auto relative = estimate_density_ratio("rulsif", shift.train, shift.test, {.alpha = 0.5});
  EXPECT_NE(relative.estimates.find("0.5 p_test"), std::string::npos);
}

TEST(DensityRatio, StopsWhenAsked) {
  const KnownShift shift(100, 1, 9);
  for (const auto& method : ratio_methods())
    EXPECT_THROW(estimate_density_ratio(method, shift.train, shift.test, {},
                                        Progress{[](std::string_view, double) { return false; }}),
                 Interrupted);
}

TEST(DensityRatio, TakesAMethodOfYourOwn) {
  const KnownShift shift(100, 2, 9);
  RatioOptions options;
  options.seed = 4;
  const RatioMethod mine{.name = "halfplane",
                         .words = "shares of the two samples on either side of 0",
                         .estimate =
                             [](const TwoSamples& samples, const RatioOptions& given, const Progress&) {
                               EXPECT_EQ(given.seed, 4u);
                               const auto right = [](const Matrix& x) {
                                 return (x.col(0).array() > 0).cast<double>();
                               };
                               const double p = right(samples.train).mean(), q = right(samples.test).mean();
                               DensityRatio ratio;
                               ratio.parameters = {{"share", q}};
                               ratio.evaluate = [=](const MatrixView& x) {
                                 const Eigen::ArrayXd on = right(x);
                                 return Vector(on * (q / p) + (1 - on) * ((1 - q) / (1 - p)));
                               };
                               return ratio;
                             },
                         .doubt = "a plane is too coarse"};
  const DensityRatio ratio = estimate_density_ratio(mine, shift.train, shift.test, options);
  EXPECT_EQ(ratio.method, "halfplane");
  EXPECT_EQ(ratio.estimates, "p_test(x) / p_train(x)");
  EXPECT_EQ(ratio.parameters.front().first, "share");
  EXPECT_EQ(ratio.train_weight, ratio.at(shift.train));
  EXPECT_NEAR(ratio.train_weight.mean(), 1, 1e-12);

  RatioMethod doubtful = mine;
  doubtful.estimate = [](const TwoSamples&, const RatioOptions&, const Progress&) {
    DensityRatio flat;
    flat.evaluate = [](const MatrixView& x) { return Vector(Vector::Constant(x.rows(), 2.0)); };
    return flat;
  };
  const auto warnings = estimate_density_ratio(doubtful, shift.train, shift.test).warnings;
  ASSERT_FALSE(warnings.empty());
  EXPECT_NE(warnings.front().find("a plane is too coarse"), std::string::npos);

  doubtful.estimate = [](const TwoSamples&, const RatioOptions&, const Progress&) { return DensityRatio(); };
  EXPECT_EQ(message([&] { estimate_density_ratio(doubtful, shift.train, shift.test); }),
            "density ratio method 'halfplane' gave nothing to evaluate");
}

}  // namespace
}  // namespace gnomon::density_ratio_test
