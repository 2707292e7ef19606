#include "gnomon/learn/huber.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon::huber_test {
namespace {

struct Problem {
  Matrix x;
  Vector y, weight;
  bool intercept = true;

  SolverDesign design() const { return {std::make_shared<Matrix>(x), weight, intercept}; }
  Vector weights() const { return weight.size() ? weight : Vector::Ones(y.size()); }
  /// [Φ 1] or Φ.
  Matrix extended() const {
    Matrix e(x.rows(), x.cols() + (intercept ? 1 : 0));
    e.leftCols(x.cols()) = x;
    if (intercept) e.rightCols(1).setOnes();
    return e;
  }
  Vector penalised(double lambda) const {
    Vector d = Vector::Constant(x.cols() + (intercept ? 1 : 0), lambda);
    if (intercept) d[x.cols()] = 0;
    return d;
  }
};

Problem make(Index n, Index p, std::uint64_t seed, bool intercept, bool weighted) {
  Random random(seed);
  Problem problem{Matrix(n, p), Vector(n), Vector(), intercept};
  for (Index j = 0; j < p; ++j) problem.x.col(j) = random.normal_vector(n);
  problem.y = problem.x * random.normal_vector(p);
  for (Index i = 0; i < n; ++i) problem.y[i] += 2 + random.normal() * (random.below(6) == 0 ? 8 : 1);
  if (weighted) problem.weight = random.uniform_vector(n, 0.3, 3);
  return problem;
}

Vector stacked(const Problem& problem, const PathFit& fit) {
  Vector theta(fit.coefficients.size() + (problem.intercept ? 1 : 0));
  theta.head(fit.coefficients.size()) = fit.coefficients;
  if (problem.intercept) theta[fit.coefficients.size()] = fit.offset;
  return theta;
}

double rho(double u, double tau) {
  return std::fabs(u) <= tau ? u * u / 2 : tau * std::fabs(u) - tau * tau / 2;
}

double objective(const Problem& problem, const Vector& theta, double tau, double lambda) {
  const Vector u = problem.y - problem.extended() * theta, w = problem.weights();
  double sum = 0;
  for (Index i = 0; i < u.size(); ++i) sum += w[i] * rho(u[i], tau);
  return sum + theta.cwiseAbs2().dot(problem.penalised(lambda)) / 2;
}

/// ‖Φ̃ᵀWψ − λ(a; 0)‖∞ beside the largest it could be.
double optimality(const Problem& problem, const PathFit& fit, double tau) {
  const Matrix e = problem.extended();
  const Vector theta = stacked(problem, fit), u = problem.y - e * theta;
  const Vector psi = u.cwiseMax(-tau).cwiseMin(tau).cwiseProduct(problem.weights());
  const Vector g = e.transpose() * psi - problem.penalised(fit.lambda).cwiseProduct(theta);
  return g.cwiseAbs().maxCoeff() / (1e-300 + (e.cwiseAbs().transpose() * psi.cwiseAbs()).maxCoeff());
}

/// Iteratively reweighted least squares, to death.
Vector reweighted(const Problem& problem, double tau, double lambda) {
  const Matrix e = problem.extended();
  Vector theta = Vector::Zero(e.cols());
  for (int k = 0; k < 20000; ++k) {
    const Vector u = problem.y - e * theta;
    Vector w = problem.weights();
    for (Index i = 0; i < w.size(); ++i) w[i] *= std::min(1.0, tau / std::max(std::fabs(u[i]), 1e-300));
    Matrix h = e.transpose() * w.asDiagonal() * e;
    h.diagonal() += problem.penalised(lambda);
    const Vector next = h.ldlt().solve(e.transpose() * w.cwiseProduct(problem.y));
    const double change = (next - theta).norm();
    theta = next;
    if (change <= 1e-15 * theta.norm()) break;
  }
  return theta;
}

std::string label(bool intercept, bool weighted, double tau, double lambda) {
  return fmt::format("intercept {} weighted {} tau {} lambda {}", intercept, weighted, tau, lambda);
}

template <class Body>
void for_each_case(Body body) {
  for (const bool intercept : {false, true})
    for (const bool weighted : {false, true})
      for (const double tau : {0.05, 0.8, 4.0, 1e4})
        for (const double lambda : {0.0, 0.5, 30.0}) {
          SCOPED_TRACE(label(intercept, weighted, tau, lambda));
          body(make(40, 6, 11, intercept, weighted), tau, lambda);
        }
}

TEST(Huber, IsOptimalAndReportsWhatItSays) {
  for_each_case([](const Problem& problem, double tau, double lambda) {
    const Huber huber(problem.design(), {tau});
    const PathFit fit = huber.refit(problem.y, lambda, {});
    EXPECT_TRUE(fit.converged);
    EXPECT_LT(fit.gap, 1e-12);
    EXPECT_LT(optimality(problem, fit, tau), 1e-12);
    const Vector theta = stacked(problem, fit), u = problem.y - problem.extended() * theta;
    EXPECT_NEAR(fit.objective, objective(problem, theta, tau, lambda), 1e-12 * fit.objective);
    EXPECT_NEAR(fit.rss, problem.weights().dot(u.cwiseAbs2()), 1e-11 * fit.rss);
    std::vector<Index> inside;
    for (Index i = 0; i < u.size(); ++i)
      if (std::fabs(u[i]) <= tau * (1 + 1e-12)) inside.push_back(i);  // a row may sit on the edge
    EXPECT_EQ(fit.active, inside);
    // Any other point is worse.
    Random random(3);
    for (int k = 0; k < 20; ++k)
      EXPECT_GT(objective(problem, theta + 1e-3 * random.normal_vector(theta.size()), tau, lambda),
                fit.objective);
  });
}

TEST(Huber, AgreesWithReweightedLeastSquares) {
  for (const bool intercept : {false, true})
    for (const double lambda : {0.0, 2.0}) {
      const Problem problem = make(30, 4, 5, intercept, true);
      const PathFit fit = Huber(problem.design(), {1.0}).refit(problem.y, lambda, {});
      const Vector reference = reweighted(problem, 1.0, lambda);
      EXPECT_LT((stacked(problem, fit) - reference).norm(), 1e-9 * reference.norm());
    }
}

TEST(Huber, TauToInfinityIsRidge) {
  for_each_case([](const Problem& problem, double, double lambda) {
    const PathFit fit = Huber(problem.design(), {1e8}).refit(problem.y, lambda, {});
    const Matrix e = problem.extended();
    Matrix h = e.transpose() * problem.weights().asDiagonal() * e;
    h.diagonal() += problem.penalised(lambda);
    const Vector ridge = h.ldlt().solve(e.transpose() * problem.weights().cwiseProduct(problem.y));
    EXPECT_LT((stacked(problem, fit) - ridge).norm(), 1e-10 * ridge.norm());
    EXPECT_EQ(static_cast<Index>(fit.active.size()), problem.y.size());
    EXPECT_NEAR(fit.df, (h.ldlt().solve(e.transpose() * problem.weights().asDiagonal() * e)).trace(), 1e-10);
  });
}

TEST(Huber, DegreesOfFreedomAndTraceAreTheDerivatives) {
  for_each_case([](const Problem& problem, double tau, double lambda) {
    const Huber huber(problem.design(), {tau});
    const PathFit fit = huber.refit(problem.y, lambda, {});
    const Index n = problem.y.size(), p = problem.x.cols();
    Random random(8);
    Matrix m(n, p + 1);
    for (Index j = 0; j <= p; ++j) m.col(j) = random.normal_vector(n);
    double df = 0, trace = 0;
    const double step = 1e-6;  // the fit is linear in y while the partition stays
    for (Index i = 0; i < n; ++i) {
      Vector up = problem.y, down = problem.y;
      up[i] += step;
      down[i] -= step;
      const PathFit above = huber.refit(up, lambda, fit), below = huber.refit(down, lambda, fit);
      ASSERT_EQ(above.active, fit.active);
      ASSERT_EQ(below.active, fit.active);
      const Vector da = (above.coefficients - below.coefficients) / (2 * step);
      const double db = (above.offset - below.offset) / (2 * step);
      df += problem.x.row(i).dot(da) + db;
      trace += m.row(i).head(p).dot(da) + (problem.intercept ? m(i, p) * db : 0);
    }
    EXPECT_NEAR(fit.df, df, 1e-7 * std::max(1.0, df));
    EXPECT_NEAR(huber.trace(fit, m), trace, 1e-6 * std::max(1.0, std::fabs(trace)));
    if (!problem.intercept) {
      EXPECT_DOUBLE_EQ(huber.trace(fit, m), huber.trace(fit, m.leftCols(p)));
    }
  });
}

/// J Φ̃ = I at λ = 0, whatever τ, so that the Stein term cannot choose τ.
TEST(Huber, WithoutRidgeTheDerivativeReproducesTheDesign) {
  for (const bool weighted : {false, true})
    for (const double tau : {0.3, 1.0, 5.0}) {
      const Problem problem = make(40, 4, 21, true, weighted);
      const Huber huber(problem.design(), {tau});
      const PathFit fit = huber.refit(problem.y, 0, {});
      const Matrix e = problem.extended();
      for (Index k = 0; k < 5; ++k)
        for (Index l = 0; l < 5; ++l) {
          Matrix m = Matrix::Zero(40, 5);
          m.col(k) = e.col(l);  // tr(J M) = (J Φ̃)_kl
          EXPECT_NEAR(huber.trace(fit, m), k == l ? 1 : 0, 1e-12);
        }
    }
}

TEST(Huber, PathAndWarmStartsEqualColdFits) {
  for_each_case([](const Problem& problem, double tau, double) {
    const Huber huber(problem.design(), {tau});
    const std::vector<double> lambdas{0, 1e-3, 0.1, 1, 10, 1e3};
    const auto path = huber.path(problem.y, lambdas);
    Vector shaken = problem.y;
    shaken += 0.5 * Random(4).normal_vector(shaken.size());
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      EXPECT_EQ(path[k].lambda, lambdas[k]);
      const PathFit cold = huber.refit(problem.y, lambdas[k], {});
      EXPECT_LT((path[k].coefficients - cold.coefficients).norm(), 1e-11 * problem.y.norm());
      EXPECT_NEAR(path[k].offset, cold.offset, 1e-10);
      EXPECT_NEAR(path[k].df, cold.df, 1e-11);
      EXPECT_EQ(path[k].active, cold.active);
      const PathFit warm = huber.refit(shaken, lambdas[k], path[0]),
                    fresh = huber.refit(shaken, lambdas[k], {});
      EXPECT_LT((warm.coefficients - fresh.coefficients).norm(), 1e-11 * problem.y.norm());
    }
    // The same call gives the same bits.
    const PathFit once = huber.refit(shaken, 0.1, path[0]), twice = huber.refit(shaken, 0.1, path[0]);
    EXPECT_EQ(once.coefficients, twice.coefficients);
  });
}

TEST(Huber, Invariances) {
  for_each_case([](const Problem& problem, double tau, double lambda) {
    const PathFit fit = Huber(problem.design(), {tau}).refit(problem.y, lambda, {});
    const double size = 1e-11 * problem.y.norm();

    Problem permuted = problem;
    const auto order = Random(2).permutation(problem.y.size());
    permuted.x = problem.x(order, Eigen::all);
    permuted.y = problem.y(order);
    if (problem.weight.size()) permuted.weight = problem.weight(order);
    EXPECT_LT((Huber(permuted.design(), {tau}).refit(permuted.y, lambda, {}).coefficients - fit.coefficients)
                  .norm(),
              size);

    const PathFit scaled = Huber(problem.design(), {7 * tau}).refit(7 * problem.y, lambda, {});
    EXPECT_LT((scaled.coefficients - 7 * fit.coefficients).norm(), 7 * size);
    EXPECT_NEAR(scaled.objective, 49 * fit.objective, 1e-10 * scaled.objective);
    EXPECT_EQ(scaled.active, fit.active);

    Problem counted = problem, repeated = problem;
    Random random(6);
    counted.weight.resize(problem.y.size());
    std::vector<Index> rows;
    for (Index i = 0; i < problem.y.size(); ++i) {
      counted.weight[i] = static_cast<double>(1 + random.below(3));
      for (int k = 0; k < static_cast<int>(counted.weight[i]); ++k) rows.push_back(i);
    }
    repeated.x = problem.x(rows, Eigen::all);
    repeated.y = problem.y(rows);
    repeated.weight = Vector();
    const PathFit a = Huber(counted.design(), {tau}).refit(counted.y, lambda, {});
    const PathFit b = Huber(repeated.design(), {tau}).refit(repeated.y, lambda, {});
    EXPECT_LT((a.coefficients - b.coefficients).norm(), size);
    EXPECT_NEAR(a.objective, b.objective, 1e-10 * b.objective);
    EXPECT_NEAR(a.rss, b.rss, 1e-9 * b.rss);
    EXPECT_NEAR(a.df, b.df, 1e-9);
  });
}

TEST(Huber, WideDesignsWithRidge) {
  for (const double tau : {0.2, 1.0, 50.0}) {
    const Problem problem = make(12, 40, 31, true, true);
    const Huber huber(problem.design(), {tau});
    const PathFit fit = huber.refit(problem.y, 0.7, {});
    EXPECT_LT(optimality(problem, fit, tau), 1e-12);
    EXPECT_TRUE(fit.unique);
    const PathFit interpolating = huber.refit(problem.y, 0, {});
    EXPECT_FALSE(interpolating.unique);
    EXPECT_LT(interpolating.rss, 1e-20);
    EXPECT_NEAR(interpolating.df, 12, 1e-9);
  }
}

TEST(Huber, RankDeficientDesignTakesTheLeastNorm) {
  Problem problem = make(30, 3, 41, true, false);
  const PathFit plain = Huber(problem.design(), {1.0}).refit(problem.y, 0, {});
  problem.x.conservativeResize(30, 5);
  problem.x.col(3) = problem.x.col(0);
  problem.x.col(4).setConstant(4.2);
  const PathFit fit = Huber(problem.design(), {1.0}).refit(problem.y, 0, {});
  EXPECT_TRUE(plain.unique);
  EXPECT_FALSE(fit.unique);
  EXPECT_NEAR(fit.coefficients[0], plain.coefficients[0] / 2, 1e-12);
  EXPECT_NEAR(fit.coefficients[3], plain.coefficients[0] / 2, 1e-12);
  EXPECT_NEAR(fit.coefficients[4], 0, 1e-12);
  EXPECT_NEAR(fit.offset, plain.offset, 1e-11);
  EXPECT_NEAR(fit.df, 4, 1e-12);
  EXPECT_TRUE(Huber(problem.design(), {1.0}).refit(problem.y, 1e-3, {}).unique);
}

/// A location problem with the answers known by hand.
TEST(Huber, TellsUniqueMinimisersFromOthers) {
  const auto location = [](std::vector<double> y, double tau) {
    Problem problem{Matrix::Zero(static_cast<Index>(y.size()), 1),
                    Eigen::Map<Vector>(y.data(), static_cast<Index>(y.size())), Vector(), true};
    return Huber(problem.design(), {tau}).refit(problem.y, 1, {});  // the column is zero: offset only
  };
  const PathFit gap = location({0, 0.1, 9.9, 10}, 0.01);  // any offset from 0.11 to 9.89
  EXPECT_FALSE(gap.unique);
  EXPECT_NEAR(gap.offset, 0.11, 1e-12);  // the lower end, where the second row meets τ
  EXPECT_EQ(gap.active, std::vector<Index>{1});
  EXPECT_NEAR(gap.objective, 0.01 * (10 + 9.8) - 4 * 0.01 * 0.01 / 2, 1e-14);
  EXPECT_NEAR(gap.df, 1, 1e-12);

  const PathFit odd = location({0, 0.1, 5, 9.9, 10}, 0.01);  // the middle one within τ
  EXPECT_TRUE(odd.unique);
  EXPECT_NEAR(odd.offset, 5, 1e-12);
  EXPECT_EQ(odd.active, std::vector<Index>{2});
  EXPECT_NEAR(odd.df, 1, 1e-12);

  const PathFit touching = location({0, 10}, 5);  // both on the edge at 5, either would move inwards
  EXPECT_TRUE(touching.unique);
  EXPECT_NEAR(touching.offset, 5, 1e-12);
}

TEST(Huber, DegenerateTargets) {
  Problem problem = make(25, 3, 51, true, true);
  problem.y.setConstant(3.7);
  for (const double tau : {1e-6, 1.0, 1e6})
    for (const double lambda : {0.0, 1.0}) {
      const PathFit fit = Huber(problem.design(), {tau}).refit(problem.y, lambda, {});
      EXPECT_TRUE(fit.converged);
      EXPECT_NEAR(fit.offset, 3.7, 1e-13);
      EXPECT_LT(fit.coefficients.norm(), 1e-13);
    }
  problem.y.setZero();
  EXPECT_EQ(Huber(problem.design(), {1.0}).refit(problem.y, 0, {}).gap, 0);

  const Problem single{Matrix::Constant(1, 2, 1.5), Vector::Constant(1, 4.0), Vector(), true};
  const PathFit one = Huber(single.design(), {0.1}).refit(single.y, 1, {});
  EXPECT_NEAR(one.offset, 4, 1e-14);
  EXPECT_EQ(one.coefficients.norm(), 0);
  EXPECT_NEAR(one.df, 1, 1e-14);
}

TEST(Huber, TinyTauReachesLeastAbsoluteDeviations) {
  for (const double lambda : {0.0, 1e-12}) {
    const Problem problem = make(60, 4, 61, true, true);
    const PathFit fit = Huber(problem.design(), {1e-7}).refit(problem.y, lambda, {});
    EXPECT_TRUE(fit.converged);
    // A vertex: as many residuals vanish as there are parameters, and the sum of deviations is stationary.
    EXPECT_EQ(fit.active.size(), 5u);
    const Vector theta = stacked(problem, fit);
    const auto deviations = [&](const Vector& t) {
      return problem.weights().dot((problem.y - problem.extended() * t).cwiseAbs());
    };
    Random random(1);
    for (int k = 0; k < 50; ++k)
      EXPECT_LT(deviations(theta), deviations(theta + 1e-3 * random.normal_vector(5)));
  }
}

TEST(Huber, IllConditionedDesign) {
  const Index n = 40;
  Problem problem{Matrix(n, 9), Vector(n), Vector(), true};
  Random random(71);
  for (Index i = 0; i < n; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(n - 1);
    for (Index j = 0; j < 9; ++j) problem.x(i, j) = std::pow(t, static_cast<double>(j + 1));
    problem.y[i] = std::sin(6 * t) + 0.1 * random.normal() + (i % 7 == 0 ? 2 : 0);
  }
  const PathFit fit = Huber(problem.design(), {0.1}).refit(problem.y, 0, {});
  // Powers cancel in the residuals, which leaves ε Σ|x_j θ_j| of rounding beside τ.
  const Vector cancelling = problem.extended().cwiseAbs() * stacked(problem, fit).cwiseAbs();
  EXPECT_LT(optimality(problem, fit, 0.1),
            10 * std::numeric_limits<double>::epsilon() * cancelling.maxCoeff() / 0.1);
  // The same function from orthonormal columns.
  Problem rotated = problem;
  rotated.x = Eigen::HouseholderQR<Matrix>(problem.x).householderQ() * Matrix::Identity(n, 9);
  const PathFit other = Huber(rotated.design(), {0.1}).refit(problem.y, 0, {});
  EXPECT_NEAR(fit.objective, other.objective, 1e-9 * other.objective);
  EXPECT_EQ(fit.active, other.active);
}

TEST(Huber, AutomaticGridRunsFromNullToUnregularized) {
  for (const double tau : {1e-3, 1.0, 100.0}) {
    const Problem problem = make(50, 5, 81, true, false);
    const Huber huber(problem.design(), {tau});
    const auto grid = huber.automatic_grid(problem.y);
    ASSERT_TRUE(std::is_sorted(grid.begin(), grid.end()));
    const auto fits = huber.path(problem.y, grid);
    const Vector plain = huber.refit(problem.y, 0, {}).coefficients;
    EXPECT_LT((fits.front().coefficients - plain).norm(), 0.02 * plain.norm());
    EXPECT_LT(fits.back().coefficients.norm(), 0.02 * plain.norm());
    EXPECT_LT(fits.back().df, 1.02);
    for (const PathFit& fit : fits) EXPECT_TRUE(fit.converged);
  }
}

TEST(Huber, AutomaticTauFollowsTheNoiseNotTheOutliers) {
  Random random(91);
  Problem problem{Matrix(400, 5), Vector(), Vector(), true};
  for (Index j = 0; j < 5; ++j) problem.x.col(j) = random.normal_vector(400);
  problem.y = problem.x * random.normal_vector(5) + 0.5 * random.normal_vector(400);
  const double clean = automatic_tau(problem.design(), problem.y);
  EXPECT_NEAR(clean, 1.345 * 0.5, 0.15 * clean);
  Vector spoilt = problem.y;
  for (Index i = 0; i < 400; i += 10) spoilt[i] += 1e4;
  EXPECT_NEAR(automatic_tau(problem.design(), spoilt), clean, 0.3 * clean);
  EXPECT_NEAR(automatic_tau(problem.design(), 3 * problem.y), 3 * clean, 1e-5 * clean);
  // Wide, interpolating, constant: defined and positive all the same.
  const Problem wide = make(20, 60, 92, true, false);
  EXPECT_GT(automatic_tau(wide.design(), wide.y), 0);
  EXPECT_EQ(automatic_tau(problem.design(), Vector::Constant(400, 2.5)), 1);
  Vector mostly_equal = Vector::Zero(400);
  mostly_equal[7] = 1;
  EXPECT_GT(automatic_tau({std::make_shared<Matrix>(Matrix::Zero(400, 1)), {}, true}, mostly_equal), 0);
}

struct Bias {
  double mean, error;
};

/// mean(criterion − truth) of the Stein form of SIC, U = ΦᵀΦ/n, unit noise variance, n = 20, p = 5.
Bias stein_bias(double tau, double lambda, bool laplace) {
  const Index n = 20, p = 5, draws = 8000;
  Random random(2007);
  Matrix x(n, p);
  for (Index j = 0; j < p; ++j) x.col(j) = random.normal_vector(n);
  const Vector truth = random.normal_vector(p), clean = x * truth;
  const Matrix u = x.transpose() * x / static_cast<double>(n);
  const Matrix unbiased = (x.transpose() * x).ldlt().solve(x.transpose());
  Matrix m = Matrix::Zero(n, p + 1);
  m.leftCols(p) = unbiased.transpose() * u;
  const Huber huber({std::make_shared<Matrix>(x), {}, false}, {tau});
  PathFit fit = huber.refit(clean, lambda, {});
  double sum = 0, squares = 0;
  for (Index k = 0; k < draws; ++k) {
    Vector y = clean;
    for (Index i = 0; i < n; ++i) {
      if (laplace) {
        const double v = random.uniform(-1, 1);
        y[i] -= std::copysign(std::log1p(-std::fabs(v)), v) / std::sqrt(2.0);
      } else {
        y[i] += random.normal();
      }
    }
    fit = huber.refit(y, lambda, fit);
    const Vector& a = fit.coefficients;
    const double criterion = a.dot(u * (a - 2 * (unbiased * y))) + 2 * huber.trace(fit, m);
    const double difference = criterion - a.dot(u * (a - 2 * truth));
    sum += difference;
    squares += difference * difference;
  }
  const double count = static_cast<double>(draws), mean = sum / count;
  return {mean, std::sqrt((squares / count - mean * mean) / count)};
}

TEST(Huber, SteinTermIsUnbiasedUnderGaussianNoise) {
  for (const double lambda : {0.0, 5.0})
    for (const double tau : {0.5, 1.345}) {
      const Bias bias = stein_bias(tau, lambda, false);
      EXPECT_LT(std::fabs(bias.mean), 3 * bias.error) << "tau " << tau << " lambda " << lambda;
    }
}

TEST(Huber, SteinTermIsBiasedUnderHeavyTails) {
  const Bias bias = stein_bias(0.5, 5, true);
  EXPECT_GT(std::fabs(bias.mean), 3 * bias.error);
}

template <class Body>
std::string message_of(Body body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Huber, RefusesBadInput) {
  const Problem problem = make(10, 2, 1, true, false);
  const Huber huber(problem.design(), {1.0});
  EXPECT_NE(message_of([&] { Huber(problem.design(), {0.0}); }).find("τ = 0"), std::string::npos);
  EXPECT_NE(message_of([&] { Huber(problem.design(), {NAN}); }).find("τ = nan"), std::string::npos);
  EXPECT_NE(message_of([&] { huber.refit(problem.y.head(9), 1, {}); }).find("9 targets for 10 rows"),
            std::string::npos);
  EXPECT_NE(message_of([&] { huber.refit(problem.y, -1, {}); }).find("λ = -1"), std::string::npos);
  PathFit other;
  other.coefficients = Vector::Zero(3);
  EXPECT_NE(message_of([&] { huber.refit(problem.y, 1, other); }).find("3 coefficients"), std::string::npos);
  Vector missing = problem.y;
  missing[3] = NAN;
  EXPECT_NE(message_of([&] { huber.refit(missing, 1, {}); }).find("not finite"), std::string::npos);
  SolverDesign weighted = problem.design();
  weighted.weight = Vector::Zero(10);
  EXPECT_NE(message_of([&] { Huber(weighted, {1.0}); }).find("weights must be positive"), std::string::npos);
}

}  // namespace
}  // namespace gnomon::huber_test
