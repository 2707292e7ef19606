#include "gnomon/learn/ridge_groups.hpp"
#include "reference/by_name.hpp"
#include "search/mackay.hpp"

#include <gtest/gtest.h>

#include "gnomon/core/error.hpp"
#include "gnomon/criteria/criteria.hpp"
#include "gnomon/criteria/judge.hpp"
#include "gnomon/search/tune.hpp"
#include "linear_problem.hpp"

namespace gnomon::reference::ridge_groups_test {
namespace {

constexpr double sigma2 = 0.4;

struct Rows {
  Matrix x = testing::normal_matrix(33, 5, 11);
  Vector y = testing::targets(x, 1, 12).col(0).array() + 3;
};

HyperCriterion criterion(std::string_view name, Index n, Index lags = 0) {
  HyperCriterion c{name, lags, {}, sigma2};
  if (name == "cv") c.folds = {random_folds(n, 10, 7, 0), random_folds(n, 10, 7, 1)};
  if (name == "cv-blocked") c.folds = {blocked_folds(n, 10)};
  return c;
}

constexpr std::string_view all_names[] = {"cv",  "cv-blocked", "loo", "gcv",  "cp",  "sic",
                                          "gen", "nic",        "fpe", "fper", "gpe", "evidence"};

// One group for all columns is ridge regression along a path of one λ: the same numbers, whatever computes them.
TEST(RidgeGroups, OneGroupGivesTheValuesOfThePath) {
  const Rows rows;
  const std::vector<double> lambdas{0.02, 1.5, 60};
  for (const bool intercept : {true, false}) {
    const Smoother path(rows.x, rows.y, Vector(),
                        {.representation = Basis::fit("linear", rows.x),
                         .filter = tikhonov,
                         .intercept = intercept,
                         .needs = {.leave_one_out = true}});
    const RidgeGroups ridge(rows.x, rows.y, Basis::fit("linear", rows.x), std::vector<int>(5, 0), {"all"},
                            intercept);
    ASSERT_EQ(ridge.parameters().size(), 1u);
    EXPECT_EQ(ridge.parameters()[0].name, "lambda");
    for (const Criterion& each : criteria_catalog()) {
      if (!undefined_for(ridge, each.name).empty()) continue;
      const JudgeOptions options{.sigma2 = sigma2, .folds = 10, .repeats = 2, .seed = 7};
      const CriterionCurve curve = judge(path, each, lambdas, options);
      for (std::size_t k = 0; k < lambdas.size(); ++k) {
        const double expected = curve.value[static_cast<Index>(k)];
        const HyperEstimate e =
            evaluate(ridge, criterion(each.name, 33), Vector::Constant(1, std::log(lambdas[k])), false);
        EXPECT_NEAR(e.value, expected, 1e-9 * std::abs(expected)) << each.name << " at " << lambdas[k];
      }
    }
  }
}

TEST(RidgeGroups, AGroupAtItsUpperBoundHasNoWeights) {
  const Rows rows;
  const RidgeGroups ridge(rows.x, rows.y, Basis::fit("linear", rows.x), {0, 1, 1, 2, 0}, {"a", "b", "c"},
                          true);
  Vector point{{0.4, 1.5, 2.2}};
  point[1] = std::exp(std::log(ridge.parameters()[1].upper));  // as a search over log λ returns it
  const Fit fit = ridge.fit_at(point);
  const Matrix& w = fit.model.linear()->coefficients;
  for (const Index j : {0, 3, 4}) EXPECT_NE(w(j, 0), 0);
  for (const Index j : {1, 2}) EXPECT_EQ(w(j, 0), 0);
}

TEST(RidgeGroups, EveryGradientIsThatOfItsValue) {
  const Rows rows;
  const RidgeGroups ridge(rows.x, rows.y, Basis::fit("linear", rows.x), {0, 1, 1, 2, 0}, {"a", "b", "c"},
                          true);
  const Vector theta{{0.4, -1.5, 2.2}};
  for (const std::string_view name : all_names) {
    ASSERT_EQ(undefined_for(ridge, name), "");
    const HyperCriterion c = criterion(name, 33, name == "gen" ? 2 : 0);
    const HyperEstimate e = evaluate(ridge, c, theta, true);
    for (Index g = 0; g < 3; ++g) {
      constexpr double step = 1e-4;
      const auto at = [&](double by) {
        Vector moved = theta;
        moved[g] += by;
        return evaluate(ridge, c, moved, false).value;
      };
      const double coarse = (at(2 * step) - at(-2 * step)) / (4 * step),
                   fine = (at(step) - at(-step)) / (2 * step);
      const double expected = (4 * fine - coarse) / 3;
      EXPECT_NEAR(e.gradient[g], expected, 1e-6 * std::abs(expected) + 1e-9 * std::abs(e.value))
          << name << " " << g;
    }
  }
}

// Leaving a row out means refitting on the others with the same λ.
TEST(RidgeGroups, LeaveOneOutRefitsAtTheSameLambda) {
  const Rows rows;
  const std::vector<int> groups{0, 1, 1, 2, 0};
  const Vector lambda{{1.5, 0.2, 9}};
  double sum = 0;
  for (Index k = 0; k < 33; ++k) {
    Matrix x(32, 6);
    Vector y(32);
    for (Index i = 0, to = 0; i < 33; ++i) {
      if (i == k) continue;
      x.row(to) << rows.x.row(i), 1;
      y[to++] = rows.y[i];
    }
    Matrix normal = x.transpose() * x;
    for (Index j = 0; j < 5; ++j) normal(j, j) += lambda[groups[static_cast<std::size_t>(j)]];
    const Vector w = normal.ldlt().solve(x.transpose() * y);
    sum += std::pow(rows.y[k] - rows.x.row(k).dot(w.head(5)) - w[5], 2);
  }
  const RidgeGroups ridge(rows.x, rows.y, Basis::fit("linear", rows.x), groups, {"a", "b", "c"}, true);
  const Vector theta = lambda.array().log();
  EXPECT_NEAR(evaluate(ridge, {"loo"}, theta, false).value, sum / 33, 1e-11 * sum);
  HyperCriterion each_row{"cv"};
  each_row.folds = {random_folds(33, 33, 1)};
  EXPECT_NEAR(evaluate(ridge, each_row, theta, false).value, sum / 33, 1e-11 * sum);
}

TEST(RidgeGroups, FitMinimisesThePenalizedSum) {
  const Rows rows;
  const RidgeGroups ridge(rows.x, rows.y, Basis::fit("linear", rows.x), {0, 1, 1, 2, 0}, {"a", "b", "c"},
                          true);
  const Vector lambda{{1.5, 0.2, 9}};
  const TunedFit fit = fit_of(ridge, lambda.array().log());
  const LinearModel& model = *fit.model.linear();
  const Vector residual = rows.y - fit.fitted.col(0);
  EXPECT_LT((model.predict(rows.x).col(0) - fit.fitted.col(0)).norm(), 1e-12);
  const Vector per_column{{lambda[0], lambda[1], lambda[1], lambda[2], lambda[0]}};
  const Vector gradient = rows.x.transpose() * residual - per_column.cwiseProduct(model.coefficients.col(0));
  EXPECT_LT(gradient.norm(), 1e-10);
  EXPECT_LT(std::abs(residual.sum()), 1e-10);
  EXPECT_NEAR(fit.training_error, residual.squaredNorm() / 33, 1e-13);
  EXPECT_NEAR(fit.df, fit.gamma.sum() + 1, 1e-12);
}

// Columns in other units have their λ in other units, and nothing else changes, over twenty decades of scale.
TEST(RidgeGroups, UnitsOfColumnsDoNotMatter) {
  const Rows rows;
  const Vector scale{{1e10, 1, 1, 1e-10, 1e10}};
  const std::vector<int> groups{0, 1, 1, 2, 0};
  const RidgeGroups plain(rows.x, rows.y, Basis::fit("linear", rows.x), groups, {"a", "b", "c"}, true);
  const Matrix x = rows.x * scale.asDiagonal();
  const RidgeGroups scaled(x, rows.y, Basis::fit("linear", x), groups, {"a", "b", "c"}, true);
  const Vector theta{{0.4, -1.5, 2.2}}, moved = theta + 2 * Vector{{std::log(1e10), 0, std::log(1e-10)}};
  for (const std::string_view name : all_names) {
    const double expected = evaluate(plain, criterion(name, 33), theta, false).value;
    EXPECT_NEAR(evaluate(scaled, criterion(name, 33), moved, false).value, expected,
                1e-9 * std::abs(expected))
        << name;
  }
  EXPECT_LT((fit_of(scaled, moved).fitted - fit_of(plain, theta).fitted).norm(), 1e-9);
  EXPECT_LT((fit_of(scaled, moved).model.predict(x) - fit_of(plain, theta).fitted).norm(), 1e-6);
  const DecayEvidence a = plain.decays((theta).array().exp()), b = scaled.decays((moved).array().exp());
  const double value = profiled_evidence(a).value;
  EXPECT_NEAR(profiled_evidence(b).value, value, 1e-9 * std::abs(value));
  EXPECT_NEAR(2 * value, evaluate(plain, {"evidence"}, theta, false).value, 1e-9 * std::abs(value));
  const Vector lambda = 33 * mackay_update(a).kappa, other = 33 * mackay_update(b).kappa;
  EXPECT_NEAR(other[0] / lambda[0], 1e20, 1e12);
}

TEST(RidgeGroups, RefusesCriteriaWithoutAGradient) {
  const Rows rows;
  const RidgeGroups ridge(rows.x, rows.y, Basis::fit("linear", rows.x), std::vector<int>(5, 0), {"all"},
                          true);
  EXPECT_NE(undefined_for(ridge, "basic").find("bootstrap"), std::string::npos);
  EXPECT_NE(undefined_for(ridge, "iwcv").find("importance weights"), std::string::npos);
}

// A curve of one λ with two minima: the scan finds both, so the deeper one is chosen whatever lies nearer to the start.
TEST(Tune, FindsTheDeeperOfTwoMinimaOfOneLambda) {
  struct Wells final : Learner {
    std::vector<Parameter> one{{Parameter::Kind::decay, "lambda", 1, 1, 1e-10, 1e8}};
    const std::vector<Parameter>& parameters() const override { return one; }
    Index rows() const override { return 1; }
    Index targets() const override { return 1; }
    double count() const override { return 1; }
    bool intercept() const override { return false; }
    bool is_kernel() const override { return false; }
    Index columns() const override { return 1; }
    double total(Index) const override { return 1; }
    std::string lacks(Account, const Metric&) const override { return {}; }
    // n = left = 1, so that gcv is the residual sum of squares.
    std::vector<Counts> counts(const Points& points, Index, bool, bool) const override {
      const double t = std::log(points(0, 0));
      const auto well = [&](double at, double depth) {
        return -depth * std::exp(-0.5 * (t - at) * (t - at));
      };
      Counts c;
      c.n = c.left = 1, c.df = 0, c.rss = 3 + well(1, 1) + well(-17, 1.5);
      c.slopes = slopes_from(Matrix{{-(t - 1) * well(1, 1) - (t + 17) * well(-17, 1.5), 0, 0}});
      return {c};
    }
    Fit fit_at(const Points&) const override { return {}; }
  };
  const SearchResult found = tune(Wells(), {gnomon::gcv});
  EXPECT_NEAR(found.parameters[0], -17, 1e-3) << found.status;
}

// With more columns than rows GEN tends to zero with the training error; the search must not follow it there.
TEST(Tune, InSampleEstimatesDoNotChooseAnInterpolant) {
  const Matrix x = testing::normal_matrix(20, 40, 31);
  const Vector y = testing::targets(x, 1, 32).col(0);
  std::vector<int> groups(40);
  for (std::size_t j = 0; j < 40; ++j) groups[j] = static_cast<int>(j % 2);
  for (const bool intercept : {true, false}) {
    const RidgeGroups ridge(x, y, Basis::fit("linear", x), groups, {"even", "odd"}, intercept);
    for (const std::string_view name : {"gen", "nic", "fper", "gpe", "fpe"}) {
      const SearchResult found = tune(ridge, criterion(name, 20));
      EXPECT_LE(fit_of(ridge, found.parameters).df, 0.8 * 20 + 1e-6) << name;
      EXPECT_TRUE(std::isfinite(found.value)) << name;
    }
  }
}

TEST(Tune, MackayAndTheGradientMeetWhereTheEvidenceIsHighest) {
  const Rows rows;
  const RidgeGroups ridge(rows.x, rows.y, Basis::fit("linear", rows.x), {0, 0, 1, 1, 2}, {"a", "b", "c"},
                          true);
  const SearchResult by_gradient = tune(ridge, HyperCriterion{"evidence"}), by_mackay = tune_by_mackay(ridge);
  EXPECT_TRUE(by_mackay.converged) << by_mackay.status;
  EXPECT_NEAR(by_mackay.value, by_gradient.value, 1e-5 * std::abs(by_gradient.value));
  EXPECT_FALSE(by_mackay.trace.empty());
}

}  // namespace
}  // namespace gnomon::reference::ridge_groups_test
