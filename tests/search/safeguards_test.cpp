// What a search does where the mathematics has no comfortable minimum: every case ends with defined numbers and a status in
// words. (Networks that lose units or sit on saddles: tests/learn/mlp_train_test.cpp and below.)

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "../learn/linear_problem.hpp"
#include "gnomon/learn/mlp_train.hpp"
#include "gnomon/learn/ridge_groups.hpp"
#include "gnomon/search/tune.hpp"
#include "learn/mlp/estimates.hpp"
#include "reference/by_name.hpp"

namespace gnomon::reference::safeguards_test {
namespace {

constexpr std::string_view names[] = {"cv",  "cv-blocked", "loo", "gcv",  "cp",  "sic",
                                      "gen", "nic",        "fpe", "fper", "gpe", "evidence"};
constexpr std::string_view in_sample[] = {"gen", "nic", "fpe", "fper", "gpe"};

HyperCriterion criterion(std::string_view name, Index n) {
  HyperCriterion c{name, 0, {}, 0.5};
  if (name == "cv") c.folds = {random_folds(n, 5, 1)};
  if (name == "cv-blocked") c.folds = {blocked_folds(n, 5)};
  return c;
}

RidgeGroups two_groups(const Matrix& x, const Vector& y, bool intercept = true) {
  std::vector<int> groups(static_cast<std::size_t>(x.cols()));
  for (std::size_t j = 0; j < groups.size(); ++j) groups[j] = static_cast<int>(2 * j / groups.size());
  return {x, y, Basis::fit("linear", x), groups, {"first", "second"}, intercept};
}

void expect_defined(const RidgeGroups& ridge, const SearchResult& r, std::string_view name) {
  EXPECT_TRUE(std::isfinite(r.value) && r.parameters.allFinite()) << name;
  EXPECT_FALSE(r.status.empty()) << name;
  const TunedFit fit = fit_of(ridge, r.parameters);
  EXPECT_TRUE(std::isfinite(fit.df) && fit.fitted.allFinite() && fit.gamma.allFinite()) << name;
}

// y is a linear function without noise: the less regularization, the better.
TEST(Safeguards, DecayToZero) {
  const Matrix x = testing::normal_matrix(30, 4, 1);
  const Vector y = x * Vector{{1, -2, 0.5, 3}};
  const RidgeGroups ridge = two_groups(x, y);
  for (const auto name : names) {
    if (name == "cp" || name == "sic") continue;  // at a noise variance that is not there
    const SearchResult r = tune(ridge, criterion(name, 30));
    expect_defined(ridge, r, name);
    EXPECT_LT(fit_of(ridge, r.parameters).training_error, 1e-6) << name;
    EXPECT_GT(fit_of(ridge, r.parameters).df, 4.99) << name << ": " << r.status;
  }
}

// y has nothing to do with x, not even by accident: the inputs are of no use.
TEST(Safeguards, DecayToInfinity) {
  const Matrix x = testing::normal_matrix(30, 4, 2);
  Matrix all(30, 5);
  all << x, Vector::Ones(30);
  Vector y = testing::normal_matrix(30, 1, 3);
  y -= all * all.colPivHouseholderQr().solve(y);
  const RidgeGroups ridge = two_groups(x, y);
  for (const auto name : names) {
    if (name.starts_with("cv") || name == "loo") continue;  // without a row y is no longer orthogonal to x
    const SearchResult r = tune(ridge, criterion(name, 30));
    expect_defined(ridge, r, name);
    EXPECT_EQ(r.verdicts, (std::vector<Verdict>{Verdict::dropped, Verdict::dropped}))
        << name << ": " << r.status;
    EXPECT_LT(fit_of(ridge, r.parameters).df, 1 + 1e-3) << name;
    EXPECT_NE(r.status.find("dropped"), std::string::npos) << name;
  }
}

// As many weights as rows: at small λ the fit uses up every observation.
TEST(Safeguards, EffectiveParametersReachTheRows) {
  const Matrix x = testing::normal_matrix(12, 12, 4);
  const Vector y = testing::normal_matrix(12, 1, 5);
  for (const bool intercept : {true, false}) {
    const RidgeGroups ridge = two_groups(x, y, intercept);
    for (const auto name : names) {
      for (const double theta : {-25.0, -10.0, 0.0, 10.0}) {
        const HyperEstimate e = evaluate(ridge, criterion(name, 12), Vector::Constant(2, theta), true);
        EXPECT_FALSE(std::isnan(e.value) && e.warning.empty()) << name << " at " << theta;
        if (name == "fper" || name == "gpe" || name == "fpe" || name == "gcv") {
          EXPECT_GE(e.value, 0) << name << " at " << theta;
        }
      }
      expect_defined(ridge, tune(ridge, criterion(name, 12)), name);
    }
    const SearchResult mackay = tune_by_mackay(ridge);
    expect_defined(ridge, mackay, "mackay");
  }
}

// Fewer rows than weights: GEN and its relatives vanish with λ and must say so; the others stay sensible.
TEST(Safeguards, FewerRowsThanWeights) {
  const Matrix x = testing::normal_matrix(10, 25, 6);
  const Vector y = testing::targets(x, 1, 7).col(0);
  const RidgeGroups ridge = two_groups(x, y);
  const Vector tiny = Vector::Constant(2, -12);
  for (const auto name : in_sample) {
    const HyperEstimate e = evaluate(ridge, criterion(name, 10), tiny, false);
    EXPECT_TRUE(e.overfitted) << name;
    EXPECT_NE(e.warning.find("observations"), std::string::npos) << name;
    EXPECT_LE(fit_of(ridge, tune(ridge, criterion(name, 10)).parameters).df, 8 + 1e-6) << name;
  }
  for (const auto name : {"loo", "gcv", "evidence", "cv"}) {
    const HyperEstimate e = evaluate(ridge, criterion(name, 10), tiny, false),
                        next = evaluate(ridge, criterion(name, 10), tiny.array() - 2, false);
    EXPECT_TRUE(std::isfinite(e.value)) << name;
    EXPECT_NEAR(e.value, next.value, 0.02 * std::abs(e.value)) << name << " settles as the decay vanishes";
  }
}

// Curves of one λ on designs of high spread often have two minima; the deeper one is found every time.
TEST(Safeguards, CurvesWithTwoMinima) {
  int two_minima = 0;
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    Matrix x = testing::normal_matrix(14, 10, 100 + seed);
    for (Index j = 0; j < 10; ++j) x.col(j) *= std::pow(10.0, -0.4 * static_cast<double>(j));
    const Vector y = x.col(0) + 40 * x.col(5) - 300 * x.col(8) + testing::normal_matrix(14, 1, 200 + seed);
    const RidgeGroups ridge(x, y, Basis::fit("linear", x), std::vector<int>(10, 0), {"all"}, true);
    const TunedParameter& lambda = ridge.parameters()[0];
    std::vector<double> scan;
    for (double theta = std::log(lambda.lower); theta <= std::log(lambda.upper); theta += 0.05)
      scan.push_back(evaluate(ridge, {"loo"}, Vector::Constant(1, theta), false).value);
    int minima = 0;
    for (std::size_t i = 1; i + 1 < scan.size(); ++i)
      minima += scan[i] < scan[i - 1] && scan[i] < scan[i + 1];
    two_minima += minima > 1;
    EXPECT_LE(tune(ridge, HyperCriterion{"loo"}).value,
              *std::min_element(scan.begin(), scan.end()) * (1 + 1e-7))
        << seed;
  }
  EXPECT_GE(two_minima, 3) << "the data no longer show what is tested";
}

// A decay that switches hidden units off leaves a point that may be a saddle; estimates and gradients there are defined or
// refused in words.
TEST(Safeguards, DeadHiddenUnits) {
  const Matrix x = testing::normal_matrix(30, 2, 8);
  const Vector y = (2 * x.col(0)).array().tanh();
  const MlpShape shape{2, {4}, 1, true};
  for (const double kappa : {1e-3, 0.5, 1e3}) {
    const MlpCost cost(shape, MlpLoss::squared, x, y, decay_per_layer(shape, kappa));
    const MlpFit fit = mlp_train(cost);
    EXPECT_TRUE(fit.converged()) << fit.status;
    EXPECT_FALSE(fit.status.empty());
    if (kappa > 1) {
      EXPECT_EQ(fit.dead_units.size(), 4u);
    }
    const MlpEstimates estimates(cost, fit.model.w);
    const MlpGen gen = mlp_gen(estimates);
    const MlpEvidence evidence = mlp_evidence(estimates);
    EXPECT_TRUE(gen.value ? std::isfinite(*gen.value) && gen.gradient.allFinite() : !gen.status.empty())
        << kappa;
    EXPECT_TRUE(evidence.value ? std::isfinite(*evidence.value) && evidence.gradient.allFinite()
                               : !evidence.status.empty())
        << kappa;
    // All units switched off by hand: a saddle at small decay, which training must leave for a lower cost.
    Vector off = Vector::Zero(shape.weights());
    off[shape.weights() - 1] = y.mean();
    const MlpFit from_saddle = mlp_train_from(cost, off);
    EXPECT_LT(from_saddle.gradient_norm, 1e-8) << kappa << ": " << from_saddle.status;
    if (kappa < 1e-2) {
      EXPECT_LT(from_saddle.cost, 0.1 * cost.cost(off)) << from_saddle.status;
    }
  }
}

// From a saddle, descent passes other saddles, beside which no step lowers the cost by more than its rounding.
TEST(Safeguards, TrainingFromASaddleEndsInAMinimum) {
  const MlpShape shape{2, {4}, 1, true};
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Matrix x = testing::normal_matrix(30, 2, seed);
    const Vector y = (2 * x.col(0)).array().tanh();
    Vector off = Vector::Zero(shape.weights());
    off[shape.weights() - 1] = y.mean();
    for (const double kappa : {0.1, 0.3, 0.5}) {
      const MlpCost cost(shape, MlpLoss::squared, x, y, decay_per_layer(shape, kappa));
      const MlpFit fit = mlp_train_from(cost, off);
      EXPECT_TRUE(fit.converged()) << seed << ", " << kappa << ": " << fit.status;
      EXPECT_LT(fit.cost, cost.cost(off)) << seed << ", " << kappa;
    }
  }
}

}  // namespace
}  // namespace gnomon::reference::safeguards_test
