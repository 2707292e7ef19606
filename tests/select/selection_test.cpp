#include "gnomon/select/selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/data/synthetic.hpp"
#include "select/refusal.hpp"

namespace gnomon::selection_test {
namespace {

TrainingData toy(Index n, double noise, std::uint64_t seed = 1) {
  Random random(seed);
  const Synthetic data = make_synthetic("sinc", n, noise, random);
  return {data.x, data.y, Vector(), {"y"}};
}

using testing::message_of;

TEST(Selection, ACriterionMustBeNamed) {
  SelectionRequest request;
  request.criteria = {};
  EXPECT_EQ(message_of(toy(40, 0.2), request), "no criterion is named; use `criteria` auto");
}

/// Squared errors must be numbers; anything between is a matter of units.
TEST(Selection, TargetsWhoseSquaresAreNoNumbersAreRefused) {
  const TrainingData data = toy(40, 0.2);
  SelectionRequest request;
  request.criteria = {"loo"};
  request.width = 1.0;
  const double loo = select(data, request).targets[0].chosen().selected->value;
  TrainingData scaled = data;
  for (const double unit : {1e-140, 1e140}) {
    scaled.y = unit * data.y;
    EXPECT_NEAR(select(scaled, request).targets[0].chosen().selected->value / unit / unit, loo, 1e-6 * loo);
  }
  for (const double unit : {1e-200, 1e200}) {
    scaled.y = unit * data.y;
    const std::string said = message_of(scaled, request);
    EXPECT_EQ(said.find("target 'y' has values around"), 0u) << said;
    EXPECT_NE(said.find("give it in other units"), std::string::npos) << said;
  }
  scaled.y = Matrix::Constant(40, 1, 1e-200);  // nothing to explain, whatever the size
  EXPECT_EQ(message_of(scaled, request).find("target 'y' has values"), std::string::npos);
}

TEST(Selection, TheFirstCriterionChoosesAndAllAreReported) {
  SelectionRequest request;
  request.criteria = {"gcv", "cv:4", "evidence", "loo"};
  const Selection s = select(toy(60, 0.2), request);
  ASSERT_EQ(s.targets.size(), 1u);
  const auto& t = s.targets[0];
  ASSERT_TRUE(t.path());
  EXPECT_FALSE(t.search());
  const auto& criteria = t.path()->criteria;
  ASSERT_EQ(criteria.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(t.criteria()[k], &criteria[k]);
  EXPECT_EQ(&t.chosen(), &criteria[0]);
  EXPECT_EQ(&t.path()->chosen(), &criteria[0]);
  EXPECT_EQ(t.chosen().label, "gcv");
  EXPECT_EQ(criteria[1].label, "cv:4");
  EXPECT_TRUE(s.default_reason.empty());
  // Refined: no grid point is better, and the value is that of a curve at the chosen λ.
  EXPECT_LE(criteria[0].selected->value, criteria[0].curve.value.minCoeff());
  EXPECT_GT(t.chosen_df, 1);
  EXPECT_EQ(t.fitted.size(), 60);
  EXPECT_EQ(t.path()->leave_one_out_residual.size(), 60);
}

TEST(Selection, AllMeansEveryCriterionThatApplies) {
  SelectionRequest request;
  request.criteria = {"all"};
  EXPECT_EQ(select(toy(40, 0.2), request).targets[0].path()->criteria.size(),
            criteria_catalog().size() - 4);  // iwcv, iwloo and iwaic need a shift, cv-blocked an order
  request.learner = "spectral-cutoff";
  const Selection cut_off = select(toy(40, 0.2), request);
  for (const auto& c : cut_off.targets[0].path()->criteria) {
    EXPECT_NE(c.label, "evidence");
    EXPECT_NE(c.label, "loo");
  }
}

TEST(Selection, AutoNamesItsCriterionAndReason) {
  const Selection s = select(toy(40, 0.2), {});
  EXPECT_FALSE(s.default_reason.empty());
  EXPECT_EQ(s.targets[0].chosen().label, "blend");
}

TEST(Selection, EveryLearnerRunsEndToEnd) {
  for (const auto& learner : learner_catalog()) {
    SelectionRequest request;
    request.learner = learner.name;
    request.basis = "polynomial:5";
    TrainingData data = toy(50, 0.1);
    if (learner.name == "iwls") data.importance = Vector::LinSpaced(50, 0.5, 2);
    const Selection s = select(data, request);
    EXPECT_LT((s.targets[0].fitted - data.y.col(0)).squaredNorm() / 50, 0.05) << learner.name;
  }
}

TEST(Selection, WidthIsChosenJointlyUnderComparableCriteria) {
  SelectionRequest request;
  request.criteria = {"gcv", "loo"};
  request.width = "0.05,1,20";
  const Selection s = select(toy(80, 0.2), request);
  EXPECT_EQ(s.targets[0].path()->chosen().width, 1);
  EXPECT_EQ(s.targets[0].path()->width.size(), s.targets[0].path()->lambda.size());
  EXPECT_EQ(std::get<Gaussian>(std::get<Kernel>(s.model.linear()->representation)).width, 1);
  request.criteria = {"sic"};
  request.metric = Metric{Metric::Kind::function_space, {}, "function-space"};
  EXPECT_NE(message_of(toy(80, 0.2), request).find("every kernel has its own norm"), std::string::npos);
  request.metric = Metric{Metric::Kind::train, {}, "train"};
  EXPECT_EQ(message_of(toy(80, 0.2), request), "accepted");
}

TEST(Selection, BasisIsChosenAmongSeveral) {
  SelectionRequest request;
  request.learner = "ridge";
  request.criteria = {"loo", "gcv", "sic", "rsic", "evidence", "cv:5"};
  request.noise = 0.04;
  const auto with = [&](const char* basis) {
    request.basis = basis;
    return select(toy(80, 0.2), request);
  };
  const Selection all = with("linear,polynomial:2..7");
  const SelectionPath& path = *all.targets[0].path();
  EXPECT_EQ(path.representation_name, "basis");
  ASSERT_EQ(path.representation.size(), path.lambda.size());
  const std::vector<std::string> bases{"linear",       "polynomial:2", "polynomial:3", "polynomial:4",
                                       "polynomial:5", "polynomial:6", "polynomial:7"};
  for (std::size_t c = 0; c < path.criteria.size(); ++c) {
    double least = HUGE_VAL;
    std::string best;
    for (const std::string& basis : bases) {
      const double value = with(basis.c_str()).targets[0].path()->criteria[c].selected->value;
      if (value < least) least = value, best = basis;
    }
    EXPECT_EQ(path.criteria[c].representation, best) << path.criteria[c].label;
    EXPECT_NEAR(path.criteria[c].selected->value, least, 1e-9 * std::abs(least));
  }
  EXPECT_EQ(std::get<Basis>(all.model.linear()->representation).spec(), path.chosen().representation);
  EXPECT_EQ(all.request.basis.name(), "linear,polynomial:2..7");
}

TEST(Selection, KernelIsChosenAmongSeveral) {
  SelectionRequest request;
  request.kernel = "linear,gaussian,matern52";
  request.criteria = {"loo", "sic"};
  request.width = "0.5,2";
  const Selection s = select(toy(60, 0.2), request);
  const SelectionPath& path = *s.targets[0].path();
  EXPECT_EQ(path.representation_name, "kernel");
  EXPECT_NE(path.chosen().representation, "linear");
  EXPECT_EQ(kernel_spec(std::get<Kernel>(s.model.linear()->representation)), path.chosen().representation);
  EXPECT_EQ(width_of(std::get<Kernel>(s.model.linear()->representation)), path.chosen().width);
  request.metric = Metric{Metric::Kind::function_space, {}, "function-space"};
  request.criteria = {"sic"};
  request.width = 1;
  EXPECT_NE(message_of(toy(60, 0.2), request).find("every kernel has its own norm"), std::string::npos);
  request.metric.reset();
  request.search = Search::gradient;
  EXPECT_NE(message_of(toy(60, 0.2), request).find("takes one `kernel`"), std::string::npos);
  TrainingData two = toy(40, 0.2);
  two.y = Matrix(two.y.replicate(1, 2));
  two.target_names = {"a", "b"};
  request.search = Search::refine;
  request.criteria = {"loo"};
  EXPECT_NE(message_of(two, request).find("several kernels and several targets"), std::string::npos);
}

TEST(Selection, DegreeOfLeastSquaresIsChosenWithoutAPath) {
  // One λ for every basis: nothing but the model is chosen.
  SelectionRequest request;
  request.learner = "ridge";
  request.basis = "polynomial:1..6";
  request.lambda = "0";
  request.criteria = {"sic", "cp", "gcv"};
  const Selection s = select(toy(60, 0.1), request);
  EXPECT_EQ(s.targets[0].path()->lambda.size(), 6u);
  EXPECT_EQ(s.targets[0].path()->criteria[0].representation, s.targets[0].path()->criteria[1].representation);
}

TEST(Selection, AutomaticGridOfABasisReachesTheInterpolant) {
  SelectionRequest request;
  request.learner = "ridge";
  request.basis = "gaussian:20";
  request.criteria = {"gcv"};
  request.search = Search::grid;
  const TrainingData data = toy(60, 0.1);
  const Selection s = select(data, request);
  request.lambda = "0";
  const double least_squares = select(data, request).targets[0].path()->df[0];
  EXPECT_NEAR(s.targets[0].path()->df[0], least_squares, 0.02);
}

TEST(Selection, EdgeOfAUserGridIsSaid) {
  SelectionRequest request;
  request.criteria = {"gcv"};
  request.lambda = "100:1000:5";
  const auto warnings = select(toy(60, 0.05), request).targets[0].warnings;
  ASSERT_FALSE(warnings.empty());
  EXPECT_NE(warnings[0].find("lower end of the grid"), std::string::npos);
  EXPECT_NE(warnings[0].find("widen `lambda`"), std::string::npos);
}

TEST(Selection, SingleLambdaIsEvaluatedThere) {
  SelectionRequest request;
  request.lambda = "0.3";
  request.criteria = {"gcv"};
  const Selection s = select(toy(30, 0.2), request);
  EXPECT_EQ(s.targets[0].path()->chosen().lambda, 0.3);
  EXPECT_FALSE(s.targets[0].chosen().selected->at_edge);
}

TEST(Selection, RequestsThatMakeNoSenseAreRefusedInWords) {
  const auto data = toy(20, 0.2);
  SelectionRequest request;
  request.learner = "landweber";
  request.criteria = {"evidence"};
  EXPECT_NE(message_of(data, request).find("criterion 'evidence' is not defined for landweber"),
            std::string::npos);
  request.criteria = {"gvc"};
  EXPECT_NE(message_of(data, request).find("did you mean 'gcv'"), std::string::npos);
  request = {};
  request.criteria = {"cv:50"};
  EXPECT_NE(message_of(data, request).find("needs at least 50 rows"), std::string::npos);
  request = {};
  request.rule = Rule::one_standard_error;
  request.criteria = {"gcv"};
  EXPECT_NE(message_of(data, request).find("needs a criterion with a standard error"), std::string::npos);
  request = {};
  request.noise = "-1";
  EXPECT_NE(message_of(data, request).find("noise variance -1"), std::string::npos);
}

TEST(Selection, WeightsThatSumToLessThanTheRowsLeaveCriteriaUndefined) {
  TrainingData data = toy(40, 0.2);
  data.weight = Vector::Constant(40, 1.0 / 40);
  SelectionRequest request;
  request.criteria = {"loo", "gcv", "fpe", "cp"};
  const Selection s = select(data, request);
  for (const auto& c : s.targets[0].path()->criteria) {
    if (c.label == "loo") continue;
    for (Index k = 0; k < c.curve.value.size(); ++k) {
      if (s.targets[0].path()->df[k] > 1.01) {
        EXPECT_TRUE(std::isnan(c.curve.value[k])) << c.label;
      }
    }
  }
}

TEST(Selection, AllChoosesByTheFirstThatIsDefined) {
  TrainingData data = toy(40, 0.2);
  data.weight = Vector::Constant(40, 1.0 / 40);
  SelectionRequest request;
  request.criteria = {"all"};
  const auto chosen = select(data, request).targets[0].chosen();
  ASSERT_TRUE(chosen.selected);
  EXPECT_TRUE(std::isfinite(chosen.selected->value));
  request.criteria = {"gcv"};
  request.lambda = "1e-8,1e-7";
  EXPECT_NE(message_of(data, request).find("the weights of 40 rows sum to 1"), std::string::npos);
}

/// The deviations of squared errors are fourth powers of the target's units.
TEST(Selection, RulesWithAStandardErrorDoNotDependOnUnits) {
  const TrainingData data = toy(60, 0.3);
  for (const char* learner : {"kernel-ridge", "additive"}) {
    for (const char* criterion : {"loo", "cv"}) {
      for (const Rule rule : {Rule::one_standard_error, Rule::paired}) {
        SelectionRequest request;
        request.learner = learner;
        request.criteria = {criterion};
        request.rule = rule;
        request.lambda = "1e-4:1e2:30";
        request.amplitude = "0";
        if (std::string(learner) == "kernel-ridge") request.amplitude = {};
        const auto wanted = select(data, request).targets[0].path()->chosen();
        for (const double unit : {1e-85, 1e80}) {
          SCOPED_TRACE(fmt::format("{} {} {}", learner, criterion, unit));
          TrainingData scaled = data;
          scaled.y *= unit;
          const auto found = select(scaled, request).targets[0].path()->chosen();
          EXPECT_NEAR(found.lambda, wanted.lambda, 1e-9 * wanted.lambda);
          EXPECT_NEAR(found.selected->standard_error / unit / unit, wanted.selected->standard_error,
                      1e-6 * wanted.selected->standard_error);
        }
      }
    }
  }
}

TEST(Selection, InterpolationOfWeightedRowsIsSaid) {
  // A smooth curve without noise: nothing speaks against the interpolant.
  TrainingData data = toy(40, 0), repeated = data;
  data.weight = Vector::Constant(40, 3);
  repeated.x = data.x.replicate(3, 1);
  repeated.y = data.y.replicate(3, 1);
  SelectionRequest request;
  request.criteria = {"evidence"};
  request.kernel = "laplace";
  request.width = "0.5";
  for (const TrainingData& each : {data, repeated}) {
    const Selection found = select(each, request);
    ASSERT_EQ(found.targets[0].path()->chosen().grid_index, 0);
    const auto& warnings = found.targets[0].warnings;
    EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(), [](const std::string& w) {
      return w.find("lower end of the grid") != std::string::npos;
    }));
  }
}

TEST(Selection, TheOneStandardErrorRuleDoesNotChangeTheWidth) {
  SelectionRequest request;
  request.criteria = {"loo"};
  request.width = "0.1:10:5";
  request.search = Search::grid;
  const double width = select(toy(60, 0.3), request).targets[0].path()->chosen().width;
  request.rule = Rule::one_standard_error;
  EXPECT_EQ(select(toy(60, 0.3), request).targets[0].path()->chosen().width, width);
}

/// The blend has no value at λ = 0, and would pass it over without a word.
TEST(Selection, TheDefaultJudgesLeastSquaresWhereItIsNamed) {
  SelectionRequest request;
  request.learner = "ridge";
  request.lambda = "1,0";
  const Selection s = select(toy(40, 0.2), request);
  EXPECT_EQ(s.targets[0].path()->chosen().label, "loo");
  EXPECT_NE(s.default_reason.find("lambda 0"), std::string::npos) << s.default_reason;
  request.lambda = "1,0.1";
  EXPECT_EQ(select(toy(40, 0.2), request).targets[0].path()->chosen().label, "blend");
}

TEST(Selection, InterruptionStopsTheWork) {
  const Progress stop{[](std::string_view, double) { return false; }};
  EXPECT_THROW(select(toy(20, 0.2), {}, stop), Interrupted);
}

TEST(Selection, ThreadsNeverChangeAnAnswer) {
  SelectionRequest request;
  request.criteria = {"loo", "cv:5", "gcv"};
  std::vector<Selection> runs;
  for (const int count : {1, 2}) {
    set_threads(count);
    runs.push_back(select(toy(400, 0.2), request));
  }
  set_threads(0);
  for (std::size_t c = 0; c < 3; ++c) {
    const auto &a = runs[0].targets[0].path()->criteria[c].curve.value,
               &b = runs[1].targets[0].path()->criteria[c].curve.value;
    // Up to rounding, which a system with smallest eigenvalue λ amplifies by d₁/λ (d₁ ≤ n for this kernel); cv also
    // stops its Krylov spaces at 1e-6 away from the minimum.
    for (Index k = 0; k < a.size(); ++k) {
      const double lambda = runs[0].targets[0].path()->lambda[static_cast<std::size_t>(k)];
      const bool far = c == 1 && a[k] > 1.2 * a.minCoeff();
      const double allowed = std::max(far ? 1e-6 : 1e-9, 10 * 2.2e-16 * 400 / lambda);
      EXPECT_LT(std::abs(a[k] - b[k]) / std::abs(a[k]), allowed) << c << " at " << lambda;
    }
  }
}

}  // namespace
}  // namespace gnomon::selection_test
