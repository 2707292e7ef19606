#include "gnomon/learn/elastic_net.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>

#include "decompose/gram_statistics.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"
#include "reference/rows_of_fold.hpp"
#include "represent/gram.hpp"

namespace gnomon::elastic_net_test {
namespace {

using reference::rows_of_fold;

struct Problem {
  Matrix x;
  Vector y, weight;
  bool intercept = true;
  std::string what;

  SolverDesign design() const { return {std::make_shared<Matrix>(x), weight, intercept}; }
  Vector weights() const { return weight.size() ? weight : Vector::Ones(x.rows()); }
};

Problem random_problem(Index n, Index p, std::uint64_t seed, double correlation = 0.3) {
  Random random(seed);
  Problem problem;
  problem.x.resize(n, p);
  const Vector common = random.normal_vector(n);
  for (Index j = 0; j < p; ++j)
    problem.x.col(j) = correlation * common + random.normal_vector(n) +
                       Vector::Constant(n, 0.5 * static_cast<double>(j % 3));
  problem.y = random.normal_vector(n);
  for (Index j = 0; j < p; j += 3) problem.y += (j % 2 ? -1.0 : 1.5) * problem.x.col(j);
  problem.what = std::to_string(n) + " x " + std::to_string(p);
  return problem;
}

/// The random and the degenerate designs that every solver property is asked of.
std::vector<Problem> problems() {
  std::vector<Problem> all;
  for (const auto& [n, p] :
       std::vector<std::pair<Index, Index>>{{30, 6}, {50, 20}, {20, 40}, {30, 300}, {1, 3}, {2, 1}, {25, 0}})
    all.push_back(random_problem(n, p, static_cast<std::uint64_t>(n + p)));
  for (std::size_t k = 0; k < 4; ++k) {
    Problem weighted = all[k];
    weighted.weight = Random(k).uniform_vector(weighted.x.rows(), 0.1, 3);
    weighted.intercept = k != 1;
    weighted.what += " weighted";
    all.push_back(weighted);
    Problem twins = all[k];
    twins.x.rightCols(twins.x.cols() / 2) = twins.x.leftCols(twins.x.cols() / 2);
    twins.what += " with duplicated columns";
    all.push_back(twins);
    Problem constant = all[k];
    constant.x.col(1).setConstant(0.1);
    constant.what += " with a constant column";
    all.push_back(constant);
    Problem flat = all[k];
    flat.y.setConstant(0.3);
    flat.what += " with equal targets";
    all.push_back(flat);
    Problem ill = all[k];
    for (Index j = 1; j < ill.x.cols(); ++j) ill.x.col(j) = ill.x.col(0) + 1e-4 * ill.x.col(j);
    ill.what += " nearly collinear";
    all.push_back(ill);
    Problem raw = all[k];
    raw.intercept = false;
    raw.what += " without intercept";
    all.push_back(raw);
  }
  return all;
}

double objective(const Problem& problem, const Vector& a, double b, double lambda, double mix) {
  const Vector r = problem.y - problem.x * a - Vector::Constant(problem.y.size(), b);
  return (problem.weights().array() * r.array().square()).sum() +
         lambda * (mix * a.lpNorm<1>() + 0.5 * (1 - mix) * a.squaredNorm());
}

/// Σ w (y − ȳ)², the scale of every objective.
double null_deviance(const Problem& problem) {
  const Vector w = problem.weights();
  const double mean = problem.intercept ? problem.y.dot(w) / w.sum() : 0;
  return (w.array() * (problem.y.array() - mean).square()).sum();
}

/// Largest violation of the optimality conditions, from the rows, relative to the gradient at zero.
double optimality_violation(const Problem& problem, const PathFit& fit, double lambda, double mix) {
  const Vector w = problem.weights();
  const Vector r =
      (w.array() * (problem.y - problem.x * fit.coefficients).array() - w.array() * fit.offset).matrix();
  const double mean = problem.intercept ? problem.y.dot(w) / w.sum() : 0;
  double scale = problem.y.cwiseAbs().dot(w), worst = problem.intercept ? std::abs(r.sum()) : 0;
  const double tau = 0.5 * lambda * mix, mu = 0.5 * lambda * (1 - mix);
  for (Index j = 0; j < problem.x.cols(); ++j) {
    const Vector weighted = (w.array() * (problem.y.array() - mean)).matrix();
    scale = std::max(scale, problem.x.col(j).cwiseAbs().dot(weighted.cwiseAbs()));
    const double g = problem.x.col(j).dot(r) - mu * fit.coefficients[j];
    const double a = fit.coefficients[j];
    worst = std::max(worst, a != 0 ? std::abs(g - (a > 0 ? tau : -tau)) : std::max(0.0, std::abs(g) - tau));
  }
  return worst / scale;
}

/// Coordinate descent until nothing moves: slow and obvious.
double slow_objective(const Problem& problem, double lambda, double mix) {
  const Vector w = problem.weights();
  const double tau = 0.5 * lambda * mix, mu = 0.5 * lambda * (1 - mix);
  Vector a = Vector::Zero(problem.x.cols());
  double b = 0;
  for (int sweep = 0; sweep < 20000; ++sweep) {
    double moved = 0;
    Vector r = problem.y - problem.x * a;
    if (problem.intercept) b = r.dot(w) / w.sum();
    r.array() -= b;
    for (Index j = 0; j < a.size(); ++j) {
      const double curvature = (w.array() * problem.x.col(j).array().square()).sum();
      const double pull = (w.array() * problem.x.col(j).array() * r.array()).sum() + curvature * a[j];
      const double next = std::copysign(std::max(0.0, std::abs(pull) - tau), pull) / (curvature + mu);
      r += (a[j] - next) * problem.x.col(j);
      moved = std::max(moved, std::abs(next - a[j]));
      a[j] = next;
    }
    if (moved < 1e-15) break;
  }
  return objective(problem, a, b, lambda, mix);
}

std::vector<double> some_lambdas(const ElasticNet& solver, const Vector& y) {
  const std::vector<double> grid = solver.automatic_grid(y);
  return {grid[0], grid[30], grid[60], grid[80], grid[95], grid[99], 2 * grid[99]};
}

TEST(ElasticNet, MeetsTheOptimalityConditions) {
  for (const Problem& problem : problems())
    for (const double mix : {1.0, 0.6, 0.01}) {
      const ElasticNet solver(problem.design(), {.mix = mix});
      const std::vector<double> lambdas = some_lambdas(solver, problem.y);
      const std::vector<PathFit> fits = solver.path(problem.y, lambdas);
      const double scale = null_deviance(problem);
      for (std::size_t l = 0; l < lambdas.size(); ++l) {
        SCOPED_TRACE(problem.what + " mix " + std::to_string(mix) + " lambda " + std::to_string(lambdas[l]));
        const PathFit& fit = fits[l];
        EXPECT_TRUE(fit.converged) << fit.gap;
        EXPECT_GE(fit.gap, 0);
        EXPECT_LE(optimality_violation(problem, fit, lambdas[l], mix), 1e-12);
        EXPECT_NEAR(fit.objective, objective(problem, fit.coefficients, fit.offset, lambdas[l], mix),
                    1e-10 * scale + 1e-13);
        EXPECT_NEAR(fit.rss, objective(problem, fit.coefficients, fit.offset, 0, 1), 1e-8 * fit.rss + 1e-13);
        std::vector<Index> active;
        for (Index j = 0; j < fit.coefficients.size(); ++j)
          if (fit.coefficients[j] != 0) active.push_back(j);
        EXPECT_EQ(fit.active, active);
      }
      EXPECT_TRUE(fits.back().active.empty());
      EXPECT_TRUE(fits[5].active.empty()) << problem.what;
    }
}

TEST(ElasticNet, EqualsSlowCoordinateDescent) {
  for (const Problem& problem :
       {random_problem(30, 6, 1), random_problem(20, 40, 2), random_problem(25, 260, 3)})
    for (const double mix : {1.0, 0.5}) {
      const ElasticNet solver(problem.design(), {.mix = mix});
      for (const double lambda : {6.0, 15.0, 40.0}) {
        const PathFit fit = solver.path(problem.y, std::vector{lambda}).front();
        EXPECT_NEAR(fit.objective, slow_objective(problem, lambda, mix), 1e-9 * fit.objective)
            << problem.what << " mix " << mix << " lambda " << lambda;
      }
    }
}

TEST(ElasticNet, GapBoundsTheDistanceToTheOptimum) {
  // A loose tolerance may stop anywhere, but never further from the optimum than the gap says.
  const Problem problem = random_problem(40, 15, 9);
  const PathFit exact = ElasticNet(problem.design()).path(problem.y, std::vector{5.0}).front();
  const PathFit loose =
      ElasticNet(problem.design(), {.tolerance = 0.1}).path(problem.y, std::vector{5.0}).front();
  EXPECT_LE(loose.objective - loose.gap, exact.objective * (1 + 1e-14));
  EXPECT_LE(exact.gap, 1e-13 * null_deviance(problem));
}

TEST(ElasticNet, OrthonormalColumnsAreSoftThresholded) {
  const Problem base = random_problem(30, 5, 4);
  Problem problem = base;
  problem.intercept = false;
  problem.x = Eigen::HouseholderQR<Matrix>(base.x).householderQ() * Matrix::Identity(30, 5);
  for (const double mix : {1.0, 0.3}) {
    const double lambda = 1.5, tau = 0.5 * lambda * mix, mu = 0.5 * lambda * (1 - mix);
    const PathFit fit =
        ElasticNet(problem.design(), {.mix = mix}).path(problem.y, std::vector{lambda}).front();
    for (Index j = 0; j < 5; ++j) {
      const double z = problem.x.col(j).dot(problem.y);
      EXPECT_NEAR(fit.coefficients[j], std::copysign(std::max(0.0, std::abs(z) - tau), z) / (1 + mu), 1e-12);
    }
  }
}

TEST(ElasticNet, RowsEngineEqualsGramEngine) {
  // Columns of zeros make a narrow design wide without changing the answer.
  for (const bool weighted : {false, true}) {
    Problem narrow = random_problem(60, 100, 5);
    if (weighted) narrow.weight = Random(2).uniform_vector(60, 0.2, 2);
    Problem wide = narrow;
    wide.x.conservativeResize(60, 400);
    wide.x.rightCols(300).setZero();
    for (const double mix : {1.0, 0.5, 0.0}) {
      const ElasticNet gram(narrow.design(), {.mix = mix}), rows(wide.design(), {.mix = mix});
      std::vector<double> lambdas = gram.automatic_grid(narrow.y);
      lambdas.insert(lambdas.begin(), 0.0);
      const auto a = gram.path(narrow.y, lambdas), b = rows.path(narrow.y, lambdas);
      for (std::size_t l = 0; l < lambdas.size(); ++l) {
        EXPECT_LE((a[l].coefficients - b[l].coefficients.head(100)).cwiseAbs().maxCoeff(), 1e-9)
            << l << " mix " << mix;
        EXPECT_NEAR(a[l].offset, b[l].offset, 1e-9);
        EXPECT_NEAR(a[l].rss, b[l].rss, 1e-9 * a[l].rss + 1e-12);
        EXPECT_NEAR(a[l].df, b[l].df, 1e-8);
        if (lambdas[l] > 0) {
          EXPECT_EQ(a[l].unique, b[l].unique) << l;
        }
      }
      const Folds folds = random_folds(60, 5, 1);
      const Matrix e = gram.fold_errors(narrow.y, lambdas, folds, nullptr, 0, {})->sums;
      const Matrix f = rows.fold_errors(narrow.y, lambdas, folds, nullptr, 0, {})->sums;
      const Index skip = mix == 0 ? 0 : 1;  // λ = 0 interpolates: its held-out errors are as they come
      EXPECT_LE((e - f).rightCols(e.cols() - skip).cwiseAbs().maxCoeff(), 1e-7 * e.maxCoeff());
    }
  }
}

TEST(ElasticNet, FoldErrorsAreThoseOfRefitsOnTheOtherRows) {
  for (const Index p : {0, 8, 40, 300})
    for (const bool weighted : {false, true})
      for (const double mix : {1.0, 0.4, 0.0}) {
        Problem problem = random_problem(45, p, 21);
        if (weighted) problem.weight = Random(4).uniform_vector(45, 0.2, 2);
        const ElasticNet solver(problem.design(), {.mix = mix});
        const std::vector<double> lambdas{0.5, 2.0, 9.0, 30.0, 1e4};
        const Folds folds = random_folds(45, 4, 3);
        const FoldErrors errors = *solver.fold_errors(problem.y, lambdas, folds, nullptr, 0, {});
        ASSERT_EQ(errors.sums.rows(), 4);
        for (int f = 0; f < 4; ++f) {
          const std::vector<Index> held = rows_of_fold(folds, f);
          Problem train = problem;
          std::vector<Index> rest;
          for (Index i = 0; i < 45; ++i)
            if (folds.of_row[static_cast<std::size_t>(i)] != f) rest.push_back(i);
          train.x = problem.x(rest, Eigen::all);
          train.y = problem.y(rest);
          if (weighted) train.weight = problem.weight(rest);
          const auto fits = ElasticNet(train.design(), {.mix = mix}).path(train.y, lambdas);
          for (std::size_t l = 0; l < lambdas.size(); ++l) {
            double sum = 0, weight = 0;
            for (const Index i : held) {
              const double e = problem.y[i] - problem.x.row(i).dot(fits[l].coefficients) - fits[l].offset;
              sum += problem.weights()[i] * e * e;
              weight += problem.weights()[i];
            }
            EXPECT_NEAR(errors.sums(f, static_cast<Index>(l)), sum, 1e-9 * sum)
                << "p " << p << " mix " << mix << " lambda " << lambdas[l];
            EXPECT_NEAR(errors.weights[f], weight, 1e-12);
          }
        }
      }
}

TEST(ElasticNet, NearlyPerfectFitsKeepTheDigitsOfTheirErrors) {
  Problem problem = random_problem(200, 4, 8);
  problem.y = problem.x * Vector::LinSpaced(4, 1, 2) + 1e-7 * Random(5).normal_vector(200);
  const ElasticNet solver(problem.design());
  const std::vector<double> lambdas{1e-12};
  const PathFit fit = solver.path(problem.y, lambdas).front();
  EXPECT_NEAR(fit.rss, objective(problem, fit.coefficients, fit.offset, 0, 1), 1e-5 * fit.rss);
  EXPECT_NEAR(fit.rss, 196e-14, 40e-14);
  const FoldErrors errors = *solver.fold_errors(problem.y, lambdas, random_folds(200, 5, 1), nullptr, 0, {});
  EXPECT_NEAR(errors.sums.sum(), 205e-14, 60e-14);
}

TEST(ElasticNet, StatisticsOfTheCallerGiveTheSameFolds) {
  const Problem problem = random_problem(80, 10, 12);
  const Folds folds = random_folds(80, 4, 1);
  Matrix targets(80, 2);
  targets << Random(1).normal_vector(80), problem.y;
  GramStatistics statistics(10, 2, 4);
  statistics.add(problem.x, targets, Vector(), folds.of_row);
  const CentredGram known = statistics.total();
  const ElasticNet solver(problem.design()), informed(problem.design(), {}, &known);
  const std::vector<double> lambdas = solver.automatic_grid(problem.y);
  const Matrix own = solver.fold_errors(problem.y, lambdas, folds, nullptr, 0, {})->sums;
  const Matrix given = informed.fold_errors(problem.y, lambdas, folds, &statistics, 1, {})->sums;
  EXPECT_LE((own - given).cwiseAbs().maxCoeff(), 1e-10 * own.maxCoeff());
  const auto a = solver.path(problem.y, lambdas), b = informed.path(problem.y, lambdas);
  for (std::size_t l = 0; l < a.size(); ++l)
    EXPECT_TRUE(a[l].coefficients.isApprox(b[l].coefficients, 1e-10) || a[l].active.empty());
}

TEST(ElasticNet, WeightsAreRepeatedRowsAndOrderDoesNotMatter) {
  for (const Index p : {6, 300}) {
    Problem problem = random_problem(20, p, 31);
    problem.weight = Vector::Ones(20);
    problem.weight[3] = 3;
    problem.weight[7] = 2;
    std::vector<Index> rows;
    for (Index i = 19; i >= 0; --i)
      for (int k = 0; k < problem.weight[i]; ++k) rows.push_back(i);
    Problem repeated = problem;
    repeated.weight = Vector();
    repeated.x = problem.x(rows, Eigen::all);
    repeated.y = problem.y(rows);
    for (const double mix : {1.0, 0.5, 0.0}) {
      const PathFit a = ElasticNet(problem.design(), {.mix = mix}).path(problem.y, std::vector{4.0}).front();
      const PathFit b =
          ElasticNet(repeated.design(), {.mix = mix}).path(repeated.y, std::vector{4.0}).front();
      EXPECT_LE((a.coefficients - b.coefficients).cwiseAbs().maxCoeff(), 1e-10);
      EXPECT_NEAR(a.objective, b.objective, 1e-10 * a.objective);
      EXPECT_NEAR(a.df, b.df, 1e-9);
    }
  }
}

TEST(ElasticNet, WarmRefitsEqualColdPaths) {
  for (const Index p : {12, 300})
    for (const double mix : {1.0, 0.5, 0.0}) {
      const Problem problem = random_problem(40, p, 17);
      const ElasticNet solver(problem.design(), {.mix = mix});
      const std::vector<double> lambdas = some_lambdas(solver, problem.y);
      const std::vector<PathFit> fits = solver.path(problem.y, lambdas);
      Random random(6);
      for (int trial = 0; trial < 20; ++trial) {
        const Vector y = problem.y + random.normal_vector(40);
        const double lambda = lambdas[random.below(6)];
        const PathFit warm = solver.refit(y, lambda, fits[random.below(7)]);
        const PathFit cold = solver.path(y, std::vector{lambda}).front();
        EXPECT_LE((warm.coefficients - cold.coefficients).cwiseAbs().maxCoeff(), 1e-9) << p << " " << mix;
        EXPECT_EQ(warm.active, cold.active);
        EXPECT_TRUE(warm.converged);
      }
    }
}

TEST(ElasticNet, TraceAndDegreesOfFreedomAreDerivatives) {
  for (const Index p : {6, 30, 290})
    for (const double mix : {1.0, 0.5, 0.0})
      for (const bool intercept : {true, false}) {
        Problem problem = random_problem(25, p, 77);
        problem.intercept = intercept;
        problem.weight = Random(9).uniform_vector(25, 0.5, 2);
        const ElasticNet solver(problem.design(), {.mix = mix});
        const double lambda = 8;
        const PathFit fit = solver.path(problem.y, std::vector{lambda}).front();
        const Matrix m = Random(3).normal_vector(25 * (p + 1)).reshaped(25, p + 1);
        double trace = 0, df = 0;
        const double step = 1e-5;
        for (Index i = 0; i < 25; ++i) {
          Vector up = problem.y, down = problem.y;
          up[i] += step;
          down[i] -= step;
          const PathFit a = solver.refit(up, lambda, fit), b = solver.refit(down, lambda, fit);
          const Vector change = (a.coefficients - b.coefficients) / (2 * step);
          const double shift = (a.offset - b.offset) / (2 * step);
          trace += change.dot(m.row(i).head(p)) + (intercept ? shift * m(i, p) : 0);
          df += problem.x.row(i).dot(change) + shift;
        }
        EXPECT_NEAR(solver.trace(fit, m), trace, 1e-5 * std::max(1.0, std::abs(trace)))
            << "p " << p << " mix " << mix;
        EXPECT_NEAR(fit.df, df, 1e-6) << "p " << p << " mix " << mix;
      }
}

TEST(ElasticNet, SureIsUnbiased) {
  // rss/n − σ² + 2σ² df/n against the true in-sample error, means over fixed replications.
  const Index n = 40;
  for (const Index p : {10, 60})
    for (const double mix : {1.0, 0.5}) {
      Problem problem = random_problem(n, p, 41);
      Vector truth = Vector::Zero(n);
      for (Index j = 0; j < p; j += 4) truth += 0.5 * problem.x.col(j);
      const ElasticNet solver(problem.design(), {.mix = mix});
      PathFit fit = solver.path(truth, std::vector{12.0}).front();
      constexpr int replications = 3000;
      double mean = 0, square = 0;
      for (int r = 0; r < replications; ++r) {
        Random random(5, static_cast<std::uint64_t>(r));
        const Vector y = truth + random.normal_vector(n);
        fit = solver.refit(y, 12.0, fit);
        Vector fitted = problem.x * fit.coefficients;
        fitted.array() += fit.offset;
        const double count = static_cast<double>(n);
        const double difference =
            fit.rss / count - 1 + 2 * fit.df / count - (fitted - truth).squaredNorm() / count;
        mean += difference / replications;
        square += difference * difference / replications;
      }
      EXPECT_LE(std::abs(mean), 3 * std::sqrt((square - mean * mean) / replications)) << p << " " << mix;
    }
}

TEST(ElasticNet, FlagsAnswersThatAreNotUnique) {
  Problem problem = random_problem(30, 4, 3);
  EXPECT_TRUE(ElasticNet(problem.design()).path(problem.y, std::vector{1.0}).front().unique);
  problem.x.col(3) = problem.x.col(0);
  const PathFit lasso = ElasticNet(problem.design()).path(problem.y, std::vector{1.0}).front();
  EXPECT_FALSE(lasso.unique);
  EXPECT_NEAR(lasso.df, 4, 1e-12);  // rank 3 and the intercept
  EXPECT_TRUE(ElasticNet(problem.design(), {.mix = 0.9}).path(problem.y, std::vector{1.0}).front().unique);
  const PathFit least_squares = ElasticNet(problem.design()).path(problem.y, std::vector{0.0}).front();
  EXPECT_FALSE(least_squares.unique);
  EXPECT_TRUE(least_squares.converged);
  EXPECT_NEAR(least_squares.coefficients[0], least_squares.coefficients[3], 1e-9);  // minimum norm
  Matrix augmented(30, 4);
  augmented << problem.x.leftCols(3), Vector::Ones(30);
  const Vector solution = augmented.colPivHouseholderQr().solve(problem.y);
  EXPECT_NEAR(least_squares.rss, (problem.y - augmented * solution).squaredNorm(), 1e-10);
}

TEST(ElasticNet, ThreadsDoNotChangeABit) {
  for (const Index p : {30, 600}) {
    const Problem problem = random_problem(100, p, 55);
    const Folds folds = random_folds(100, 5, 1);
    Matrix sums[2];
    std::vector<PathFit> fits[2];
    for (const int t : {1, 2}) {
      set_threads(t);
      const ElasticNet solver(problem.design());
      const std::vector<double> lambdas = solver.automatic_grid(problem.y);
      sums[t - 1] = solver.fold_errors(problem.y, lambdas, folds, nullptr, 0, {})->sums;
      fits[t - 1] = solver.path(problem.y, lambdas);
    }
    set_threads(0);
    EXPECT_EQ(sums[0], sums[1]);
    for (std::size_t l = 0; l < fits[0].size(); ++l)
      EXPECT_EQ(fits[0][l].coefficients, fits[1][l].coefficients);
  }
}

TEST(ElasticNet, RefusesWhatItCannotServe) {
  const Problem problem = random_problem(10, 3, 1);
  const auto message = [](const auto& body) {
    try {
      body();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_NE(message([&] { ElasticNet(problem.design(), {.mix = 1.5}); }).find("mix is 1.5"),
            std::string::npos);
  const ElasticNet solver(problem.design());
  EXPECT_NE(message([&] {
              solver.path(problem.y, std::vector{2.0, 1.0});
            }).find("ascending"),
            std::string::npos);
  EXPECT_NE(message([&] { solver.path(problem.y, std::vector{-1.0}); }).find("not negative"),
            std::string::npos);
  EXPECT_NE(
      message([&] { solver.path(Vector::Zero(9), std::vector{1.0}); }).find("9 target values for 10 rows"),
      std::string::npos);
}

}  // namespace
}  // namespace gnomon::elastic_net_test
