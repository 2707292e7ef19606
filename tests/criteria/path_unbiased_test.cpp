// SIC of learners that are not linear in y, simulated: with a divergence its mean lies within three standard errors of
// the truth under Gaussian noise, and leaves it where Stein's identity does not hold.

#include <gtest/gtest.h>

#include "../learn/path_cases.hpp"
#include "harness.hpp"

namespace gnomon::testing::path_unbiased_test {
namespace {

/// A function in the span of the columns (and of the constant, with an intercept), seen with noise of variance σ²/w.
struct Realizable {
  Matrix x, points;
  Vector beta, omega, weight;  // weight empty = ones
  double offset = 0;
  double sigma = 1;

  Realizable(Index n, Index p, bool intercept, bool weighted) : offset(intercept ? 1.5 : 0) {
    Random random(31);
    x.resize(n, p);
    points.resize(15, p);
    for (Index j = 0; j < p; ++j) {
      x.col(j) = random.normal_vector(n).array() + 0.4;
      points.col(j) = 0.7 * random.normal_vector(15).array() - 0.5;  // inputs from elsewhere
    }
    beta = 0.6 * random.normal_vector(p);
    beta[1] = 0;
    omega = random.uniform_vector(15, 0.2, 1);
    omega /= omega.sum();
    if (weighted) {
      weight.resize(n);
      for (Index i = 0; i < n; ++i) weight[i] = static_cast<double>(1 + random.below(4));
    }
  }
  Vector at(const Matrix& inputs) const { return (inputs * beta).array() + offset; }
  Vector rows_weight() const { return weight.size() ? weight : Vector::Ones(x.rows()); }
  Vector noisy(Random& random) const {
    return at(x) + sigma * random.normal_vector(x.rows()).cwiseQuotient(rows_weight().cwiseSqrt());
  }
  /// Σ ω (f̂ − f)² less what SicFrame leaves out: Σ ω (f − f̄)² and σ²/n of the mean with an intercept, Σ ω f² without.
  double truth(const Vector& fitted, const Vector& f, const Vector& at_weight, bool intercept) const {
    const Vector w = rows_weight();
    const double mean = intercept ? at(x).dot(w) / w.sum() : 0;
    const double own = intercept ? sigma * sigma / w.sum() : 0;
    return at_weight.dot((fitted - f).cwiseAbs2()) - at_weight.dot((f.array() - mean).square().matrix()) -
           own;
  }
};

CriterionCurve sic_of(const PathLearner& learner, const std::vector<double>& lambdas, double sigma2,
                      const Metric& metric) {
  const NoiseVariance noise = Judge::known(sigma2);
  const Progress progress;
  return sic.evaluate({learner, 0, lambdas, noise, metric, 1, 5, 1, 7, progress});
}

struct Gaps {
  Running train, points;
  Running uncorrected;  // without the covariance term
};

/// criterion − truth at the last λ of the case, over draws of the noise.
template <class Draw>
Gaps simulate(const Realizable& toy, const PathCase& test, bool intercept, int draws, const Draw& draw,
              PathLearnerOptions options) {
  const auto x = std::make_shared<const Matrix>(toy.x);
  const Metric train{Metric::Kind::train, {}, "train"},
      points{Metric::Kind::points, {toy.points, toy.omega}, "test"};
  const std::vector<double> lambda{test.lambdas.back()};
  const Vector w = toy.rows_weight() / toy.rows_weight().sum();
  Gaps gaps;
  Random random(211);
  for (int d = 0; d < draws; ++d) {
    options.seed = static_cast<std::uint64_t>(d);
    const PathLearner learner(x, draw(random), toy.weight, options);
    const PathFit& fit = learner.path(lambda, 0).front();
    EXPECT_TRUE(fit.converged);
    const double s2 = toy.sigma * toy.sigma;
    const double gap = sic_of(learner, lambda, s2, train).value[0] -
                       toy.truth(learner.fitted(fit), toy.at(toy.x), w, intercept);
    gaps.train.add(gap);
    gaps.uncorrected.add(gap - 2 * s2 * (learner.sums(lambda, 0)[0].df - intercept) / learner.count());
    if (learner.is_kernel()) continue;
    const Vector f = learner.fit(lambda).predict(toy.points).col(0);
    gaps.points.add(sic_of(learner, lambda, s2, points).value[0] -
                    toy.truth(f, toy.at(toy.points), toy.omega, intercept));
  }
  return gaps;
}

class PathUnbiased : public ::testing::TestWithParam<PathCase> {};

TEST_P(PathUnbiased, ExactDivergenceUnderGaussianNoise) {
  const PathCase& test = GetParam();
  for (const bool intercept : {false, true}) {
    const Realizable toy(18, 4, intercept, false);
    const Gaps gaps = simulate(
        toy, test, intercept, 2500, [&](Random& random) { return toy.noisy(random); },
        test.options(toy.x, intercept));
    EXPECT_LT(gaps.train.z(0), 3) << "intercept " << intercept << ", mean " << gaps.train.mean();
    EXPECT_GT(gaps.uncorrected.z(0), 10);  // the simulation is sharp enough to see the term
    if (!test.kernel) {
      EXPECT_LT(gaps.points.z(0), 3) << "intercept " << intercept << ", mean " << gaps.points.mean();
    }
  }
}

TEST_P(PathUnbiased, RowsOfUnequalPrecision) {
  const PathCase& test = GetParam();
  const Realizable toy(18, 4, true, true);
  const Gaps gaps = simulate(
      toy, test, true, 1500, [&](Random& random) { return toy.noisy(random); }, test.options(toy.x, true));
  EXPECT_LT(gaps.train.z(0), 3) << gaps.train.mean();
  if (!test.kernel) {
    EXPECT_LT(gaps.points.z(0), 3) << gaps.points.mean();
  }
}

TEST_P(PathUnbiased, OneProbeOfTheMonteCarloDivergence) {
  const PathCase& test = GetParam();
  const Realizable toy(18, 4, true, true);
  PathLearnerOptions options = test.options(toy.x, true);
  options.divergence = Divergence::monte_carlo;
  const Gaps gaps = simulate(
      toy, test, true, 2000, [&](Random& random) { return toy.noisy(random); }, options);
  EXPECT_LT(gaps.train.z(0), 3) << gaps.train.mean();
  if (!test.kernel) {
    EXPECT_LT(gaps.points.z(0), 3) << gaps.points.mean();
  }
}

INSTANTIATE_TEST_SUITE_P(Learners, PathUnbiased, ::testing::ValuesIn(path_cases(1)), case_name);

TEST(PathSic, AffineLearnersNeedNoGaussianNoise) {
  // Skewed noise of mean 0 and variance 1: the trace term asks only for the variance.
  const Realizable toy(18, 4, true, false);
  const PathCase additive = path_cases(1).back();
  ASSERT_EQ(additive.name, "additive");
  const auto draw = [&](Random& random) {
    Vector y = toy.at(toy.x);
    for (Index i = 0; i < y.size(); ++i) y[i] += -std::log(random.uniform()) - 1;
    return y;
  };
  const Gaps gaps = simulate(toy, additive, true, 3000, draw, additive.options(toy.x, true));
  EXPECT_LT(gaps.train.z(0), 3);
  EXPECT_LT(gaps.points.z(0), 3);
}

TEST(PathSic, HuberWithRidgeIsBiasedUnderLaplaceNoise) {
  // τ = ½, λ = 5, 20 rows, 5 columns, unit variance: Stein's identity does not hold and 8000 draws show it.
  const Realizable toy(20, 5, false, false);
  const PathCase huber{"huber", {5}, [](double) { return huber_factory(0.5); }};
  const auto draw = [&](Random& random) {
    Vector y = toy.at(toy.x);
    for (Index i = 0; i < y.size(); ++i) {
      const double size = -std::log(random.uniform()) / std::sqrt(2.0);
      y[i] += random.below(2) ? size : -size;
    }
    return y;
  };
  const Gaps gaps = simulate(toy, huber, false, 8000, draw, huber.options(toy.x, false));
  EXPECT_GT(gaps.train.z(0), 3);
  EXPECT_GT(gaps.points.z(0), 3);
}

TEST(PathSic, PlainHuberHasTheSameSteinTermForEveryTau) {
  // Regression equivariance: the term is that of least squares, so it cannot choose τ.
  const Realizable toy(18, 4, true, false);
  Random random(5);
  const Vector y = toy.noisy(random);
  const Metric points{Metric::Kind::points, {toy.points, toy.omega}, "test"};
  const auto term = [&](const SolverFactory& solver) {
    const PathLearner learner(std::make_shared<const Matrix>(toy.x), y, Vector(),
                              {.representation = Basis::fit("linear", toy.x), .solver = solver});
    const std::vector<double> zero{0};
    return (sic_of(learner, zero, 1, points).value[0] - sic_of(learner, zero, 0, points).value[0]) / 2;
  };
  const double least_squares = term(additive_factory(0));
  for (const double tau : {0.3, 1.0, 100.0})
    EXPECT_NEAR(term(huber_factory(tau)), least_squares, 1e-9) << tau;
}

TEST(PathSic, FewerRowsThanColumnsCarriesABiasOnOtherPoints) {
  const Realizable toy(6, 9, false, false);
  const PathCase lasso{"lasso", {3}, [](double) { return net_factory(1); }};
  const Gaps gaps = simulate(
      toy, lasso, false, 1500, [&](Random& random) { return toy.noisy(random); },
      lasso.options(toy.x, false));
  EXPECT_LT(gaps.train.z(0), 3);  // at the training inputs the targets themselves serve
  EXPECT_GT(gaps.points.z(0), 5);
}

}  // namespace
}  // namespace gnomon::testing::path_unbiased_test
