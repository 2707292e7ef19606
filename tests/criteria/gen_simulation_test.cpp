// GEN against the error of new rows, by simulation.

#include <gtest/gtest.h>

#include "gen_cases.hpp"
#include "harness.hpp"

namespace gnomon::testing::gen_simulation_test {
namespace {

using namespace gen_cases;

/// y = x'w + ε; x and ε each a moving average over M + 1 independent numbers, so that rows further apart are independent.
struct MovingAverages {
  Index n = 1600, p = 3;
  int memory;  // M
  double kappa;
  Vector w{{3, -1.5, 0.9}};  // so large that the term with A matters

  Vector average(Random& random) const {
    const Vector shocks = random.normal_vector(n + memory);
    Vector out = Vector::Zero(n);
    for (int i = 0; i <= memory; ++i) out += shocks.segment(i, n);
    return out / std::sqrt(memory + 1.0);  // variance 1
  }

  /// Criterion − error of new rows, less S(w*) − G(w*) at the best regularized weights w* = w/(1 + κ): that has mean zero and
  /// takes nearly all of the chance out of the difference.
  double gap(int draw, int lags) const {
    Random random(2024, static_cast<std::uint64_t>(draw));
    Matrix x(n, p);
    for (Index j = 0; j < p; ++j) x.col(j) = average(random);
    const Vector y = x * w + average(random);
    const double lambda = kappa * static_cast<double>(n);
    const Smoother smoother(
        x, y, Vector(),
        {.representation = Basis::fit("linear", x), .filter = tikhonov, .needs = {.leave_one_out = true}});
    const LinearModel fit = smoother.fit({&lambda, 1});
    const auto error = [&](const Vector& a, double b) { return 1 + (a - w).squaredNorm() + b * b; };
    const Vector best = w / (1 + kappa);
    const double training = (y - x * best).squaredNorm() / static_cast<double>(n);
    return gen_of(smoother, lags, {lambda})[0] - error(fit.coefficients.col(0), fit.offset[0]) -
           (training - error(best, 0));
  }

  Running gaps(int lags, int draws) const {
    Running all;
    for (int draw = 0; draw < draws; ++draw) all.add(static_cast<double>(n) * gap(draw, lags));
    return all;
  }
};

TEST(GenBySimulation, CountsTheOptimismOfIndependentRows) {
  const MovingAverages independent{.memory = 0, .kappa = 0.1};
  EXPECT_LT(independent.gaps(0, 600).z(0), 3);
}

TEST(GenBySimulation, DependentRowsNeedTheLengthOfTheirDependence) {
  for (const double kappa : {0.0, 1.0}) {
    const MovingAverages dependent{.memory = 3, .kappa = kappa};
    const Running right = dependent.gaps(3, 600), independent = dependent.gaps(0, 600);
    EXPECT_LT(right.z(0), 3) << kappa;  // at κ = 1, A = M + 1 in place of 2M + 1 would be 4 away
    EXPECT_GT(independent.z(0), 8) << kappa;
    EXPECT_LT(independent.mean(), 0) << kappa;  // neglecting the dependence promises too much
  }
}

TEST(GenBySimulation, HubersLossOfNewRows) {
  // Noise with tails: new rows are drawn afresh to measure the expected loss; w* by a fit to very many rows.
  constexpr double tau = 1, kappa = 0.2;
  constexpr Index n = 400;
  const auto draw = [](Random& random, Index rows, Matrix& x, Vector& y) {
    x.resize(rows, 2);
    for (Index j = 0; j < 2; ++j) x.col(j) = random.normal_vector(rows);
    y = x.col(0) - 0.5 * x.col(1);
    for (Index i = 0; i < rows; ++i) y[i] += random.normal() * (random.below(5) == 0 ? 4 : 1);
  };
  const auto loss = [](const Matrix& x, const Vector& y, const Vector& a, double b) {
    const Vector u = (y - x * a).array() - b;
    double sum = 0;
    for (const double each : u)
      sum += std::abs(each) <= tau ? each * each : 2 * tau * std::abs(each) - tau * tau;
    return sum / static_cast<double>(y.size());
  };
  const auto fit_to = [](const Matrix& x, const Vector& y, PathFit& fit) {
    const double lambda = kappa * static_cast<double>(y.size());
    const PathLearner learner = huber_learner({x, y, Vector()}, tau);
    fit = learner.path({&lambda, 1}, 0).front();
    return gen_of(learner, 0, {lambda})[0];
  };
  Random many(77);
  Matrix large;
  Vector large_y;
  draw(many, 100000, large, large_y);
  PathFit best;
  fit_to(large, large_y, best);
  const double best_loss = loss(large, large_y, best.coefficients, best.offset);
  Running gap;
  for (int k = 0; k < 500; ++k) {
    Random random(78, static_cast<std::uint64_t>(k));
    Matrix x;
    Vector y;
    draw(random, n, x, y);
    PathFit fit;
    const double value = fit_to(x, y, fit);
    const double new_loss = loss(large, large_y, fit.coefficients, fit.offset);
    gap.add(static_cast<double>(n) *
            (value - new_loss - (loss(x, y, best.coefficients, best.offset) - best_loss)));
  }
  EXPECT_LT(gap.z(0), 3) << gap.mean() << " ± " << gap.standard_error();
}

}  // namespace
}  // namespace gnomon::testing::gen_simulation_test
