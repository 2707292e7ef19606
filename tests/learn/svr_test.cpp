#include "gnomon/learn/svr.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"
#include "represent/gram.hpp"

namespace gnomon::svr_test {
namespace {

std::shared_ptr<const Matrix> share(Matrix m) { return std::make_shared<const Matrix>(std::move(m)); }

Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  Matrix x(rows, columns);
  for (Index j = 0; j < columns; ++j) x.col(j) = random.normal_vector(rows);
  return x;
}

Matrix gaussian_gram(const Matrix& x, double width) {
  Matrix k(x.rows(), x.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.rows(); ++j) {
      k(i, j) = std::exp(-(x.row(i) - x.row(j)).squaredNorm() / (2 * width * width));
    }
  }
  return k;
}

Vector wavy_targets(const Matrix& x, std::uint64_t seed) {
  Random random(seed);
  Vector y(x.rows());
  for (Index i = 0; i < x.rows(); ++i) y[i] = std::sin(2 * x(i, 0)) + 0.3 * random.normal() + 0.7;
  return y;
}

double tube(double u, double epsilon) { return std::max(0.0, std::abs(u) - epsilon); }

/// A problem in the form of its definition, for slow checks.
struct Case {
  std::string name;
  Matrix features;
  bool kernel = true, intercept = true;
  Vector weight{};
  double epsilon = 0.1;
  Vector y{};

  Svr solver(double tolerance = 1e-10) const {
    return Svr({share(features), weight, intercept}, {epsilon, kernel, tolerance});
  }
  Matrix gram() const { return kernel ? features : Matrix(features * features.transpose()); }
  Vector bound(double lambda) const {
    return (weight.size() ? weight : Vector(Vector::Ones(y.size()))) / lambda;
  }
  Vector fitted(const PathFit& fit) const { return (features * fit.coefficients).array() + fit.offset; }
  double norm(const PathFit& fit) const {
    return kernel ? fit.coefficients.dot(features * fit.coefficients) : fit.coefficients.squaredNorm();
  }
  double primal(const PathFit& fit) const {
    const Vector u = y - fitted(fit), c = bound(fit.lambda);
    double sum = 0.5 * norm(fit);
    for (Index i = 0; i < y.size(); ++i) sum += c[i] * tube(u[i], epsilon);
    return sum;
  }
  double dual(const PathFit& fit) const {
    const Vector beta = fit.dual.head(y.size());
    return y.dot(beta) - epsilon * beta.lpNorm<1>() - 0.5 * beta.dot(gram() * beta);
  }
};

std::vector<Case> cases() {
  const Matrix x = random_matrix(40, 2, 1);
  const Matrix wide = random_matrix(12, 20, 2);
  Random random(3);
  const Vector weight = random.uniform_vector(40, 0.2, 3);
  Matrix repeated = x;
  for (Index i = 20; i < 40; ++i) repeated.row(i) = x.row(i - 20);
  const Vector y = wavy_targets(x, 4);
  std::vector<Case> all;
  all.push_back({"gaussian", gaussian_gram(x, 1), true, true, {}, 0.1, y});
  all.push_back({"gaussian_no_intercept", gaussian_gram(x, 1), true, false, {}, 0.1, y});
  all.push_back({"gaussian_weighted", gaussian_gram(x, 1), true, true, weight, 0.2, y});
  all.push_back({"gaussian_wide_singular", gaussian_gram(x, 20), true, true, {}, 0.1, y});
  all.push_back({"gaussian_repeated_rows", gaussian_gram(repeated, 1), true, true, weight, 0.1, y});
  all.push_back({"gaussian_absolute", gaussian_gram(x, 1), true, true, {}, 0, y});
  all.push_back({"gaussian_ties",
                 gaussian_gram(repeated, 1),
                 true,
                 true,
                 {},
                 0.5,
                 (2 * y).array().round().matrix() / 2});
  all.push_back({"basis_tall", x, false, true, {}, 0.1, y});
  all.push_back({"basis_tall_weighted_no_intercept", x, false, false, weight, 0.1, y});
  all.push_back({"basis_tall_absolute", x, false, true, {}, 0, y});
  all.push_back({"basis_wide", wide, false, true, {}, 0.05, wavy_targets(wide, 5)});
  all.push_back({"constant_only", Matrix::Zero(40, 3), false, true, weight, 0.1, y});
  return all;
}

const std::vector<double> some_lambdas = {1e-3, 1e-2, 0.1, 1, 10, 1000};

TEST(Svr, MeetsTheOptimalityConditions) {
  for (const Case& c : cases()) {
    for (const PathFit& fit : c.solver().path(c.y, some_lambdas)) {
      SCOPED_TRACE(c.name + " lambda " + std::to_string(fit.lambda));
      const Vector u = c.y - c.fitted(fit), bound = c.bound(fit.lambda), beta = fit.dual.head(c.y.size());
      const double slack = 1e-9;
      std::vector<Index> support;
      for (Index i = 0; i < c.y.size(); ++i) {
        ASSERT_LE(std::abs(beta[i]), bound[i]);
        if (beta[i] != 0) support.push_back(i);
        if (beta[i] == 0) {
          EXPECT_LE(std::abs(u[i]), c.epsilon + slack);
        } else if (std::abs(beta[i]) == bound[i]) {
          EXPECT_GE(u[i] * beta[i] / bound[i], c.epsilon - slack);
        } else {
          EXPECT_NEAR(u[i], std::copysign(c.epsilon, beta[i]), slack);
        }
      }
      EXPECT_EQ(fit.active, support);
      if (c.intercept) {
        EXPECT_NEAR(beta.sum(), 0, 1e-12 * bound.sum());
      }
      const Vector a = c.kernel ? beta : Vector(c.features.transpose() * beta);
      EXPECT_LT((fit.coefficients - a).norm(), 1e-10 * (1 + beta.norm()));
      EXPECT_TRUE(fit.converged);
      const double rss = c.weight.size() ? c.weight.dot(u.cwiseAbs2()) : u.squaredNorm();
      EXPECT_NEAR(fit.rss, rss, 1e-8 * (1 + rss));
    }
  }
}

TEST(Svr, GapIsPrimalMinusDual) {
  for (const Case& c : cases()) {
    for (const PathFit& fit : c.solver().path(c.y, some_lambdas)) {
      SCOPED_TRACE(c.name + " lambda " + std::to_string(fit.lambda));
      const double primal = c.primal(fit);
      EXPECT_NEAR(fit.objective, primal, 1e-10 * primal);
      EXPECT_NEAR(fit.gap, (primal - c.dual(fit)) / primal, 1e-9);
      EXPECT_LT(fit.gap, 1e-10);
    }
  }
}

/// Every way to put rows into the five places, its linear equations by LU: the best of those that are optimal.
double best_over_partitions(const Case& c, double lambda) {
  const Index n = c.y.size();
  const Matrix k = c.gram();
  const Vector bound = c.bound(lambda);
  double best = std::numeric_limits<double>::infinity();
  const auto total = static_cast<Index>(std::pow(5, n));
  for (Index code = 0; code < total; ++code) {
    std::vector<Index> free;
    Vector beta = Vector::Zero(n), sign = Vector::Zero(n);
    Index rest = code;
    for (Index i = 0; i < n; ++i, rest /= 5) {
      const Index place = rest % 5;
      if (place == 1 || place == 2) beta[i] = place == 1 ? bound[i] : -bound[i];
      if (place >= 3) free.push_back(i), sign[i] = place == 3 ? 1 : -1;
    }
    const Index m = static_cast<Index>(free.size()), size = m + (c.intercept ? 1 : 0);
    double b = 0;
    if (m > 0) {
      Matrix system = Matrix::Zero(size, size);
      Vector rhs = Vector::Zero(size);
      for (Index r = 0; r < m; ++r) {
        for (Index s = 0; s < m; ++s) system(r, s) = k(free[r], free[s]);
        if (c.intercept) system(r, m) = system(m, r) = 1;
        rhs[r] = c.y[free[r]] - c.epsilon * sign[free[r]] - k.row(free[r]).dot(beta);
      }
      if (c.intercept) rhs[m] = -beta.sum();
      const Vector solved = system.fullPivLu().solve(rhs);
      if (!((system * solved - rhs).norm() < 1e-9)) continue;
      for (Index r = 0; r < m; ++r) beta[free[r]] = solved[r];
      if (c.intercept) b = solved[m];
    }
    if (c.intercept && std::abs(beta.sum()) > 1e-9) continue;
    if ((beta.cwiseAbs().array() > bound.array() + 1e-12).any()) continue;
    const Vector f = k * beta;
    std::vector<double> offsets{b};
    if (c.intercept && m == 0) {
      for (Index i = 0; i < n; ++i) {
        offsets.push_back(c.y[i] - f[i] + c.epsilon);
        offsets.push_back(c.y[i] - f[i] - c.epsilon);
      }
    }
    for (const double offset : offsets) {
      double value = 0.5 * beta.dot(f);
      for (Index i = 0; i < n; ++i) value += bound[i] * tube(c.y[i] - f[i] - offset, c.epsilon);
      best = std::min(best, value);
    }
  }
  return best;
}

TEST(Svr, EqualsTheBestOfAllPartitions) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    for (const bool intercept : {true, false}) {
      const Matrix x = random_matrix(5, 1, 100 + seed);
      Random random(seed);
      Case c{"tiny", gaussian_gram(x, 1), true, intercept, random.uniform_vector(5, 0.5, 2), 0.2, {}};
      if (seed % 2) c.features = x, c.kernel = false;
      c.y = random.normal_vector(5);
      for (const double lambda : {0.05, 0.5, 5.0}) {
        const double reference = best_over_partitions(c, lambda);
        EXPECT_NEAR(c.solver().path(c.y, {&lambda, 1})[0].objective, reference, 1e-10 * (1 + reference));
      }
    }
  }
}

TEST(Svr, RefitFromElsewhereEqualsColdFit) {
  for (const Case& c : cases()) {
    const Svr solver = c.solver();
    const auto fits = solver.path(c.y, some_lambdas);
    Random random(8);
    const Vector y = c.y + 0.2 * random.normal_vector(c.y.size());
    for (const PathFit& start : fits) {
      SCOPED_TRACE(c.name + " lambda " + std::to_string(start.lambda));
      const double lambda = 0.5 * start.lambda;
      const PathFit warm = solver.refit(y, lambda, start), cold = solver.refit(y, lambda, PathFit{});
      EXPECT_NEAR(warm.objective, cold.objective, 1e-10 * cold.objective);
      EXPECT_LT((c.fitted(warm) - c.fitted(cold)).norm(), 1e-7);
      EXPECT_TRUE(warm.converged);
    }
  }
}

TEST(Svr, RowOrderDoesNotMatter) {
  const Matrix x = random_matrix(30, 2, 6);
  const Vector y = wavy_targets(x, 7);
  const auto order = Random(9).permutation(30);
  Matrix px(30, 2);
  Vector py(30);
  for (Index i = 0; i < 30; ++i) {
    px.row(i) = x.row(order[static_cast<std::size_t>(i)]);
    py[i] = y[order[static_cast<std::size_t>(i)]];
  }
  const Case a{"", gaussian_gram(x, 1), true, true, {}, 0.1, y},
      b{"", gaussian_gram(px, 1), true, true, {}, 0.1, py};
  const auto fa = a.solver().path(y, some_lambdas), fb = b.solver().path(py, some_lambdas);
  for (std::size_t k = 0; k < fa.size(); ++k) {
    EXPECT_NEAR(fa[k].objective, fb[k].objective, 1e-11 * fa[k].objective);
    EXPECT_NEAR(fa[k].offset, fb[k].offset, 1e-8);
    EXPECT_EQ(fa[k].df, fb[k].df);
  }
}

TEST(Svr, WeightIsRepetition) {
  const Matrix x = random_matrix(12, 1, 10);
  const Vector y = wavy_targets(x, 11);
  Vector weight(12);
  std::vector<Index> rows;
  for (Index i = 0; i < 12; ++i) {
    weight[i] = static_cast<double>(1 + i % 3);
    for (Index r = 0; r < 1 + i % 3; ++r) rows.push_back(i);
  }
  Matrix rx(static_cast<Index>(rows.size()), 1);
  Vector ry(rx.rows());
  for (Index r = 0; r < rx.rows(); ++r) {
    rx(r, 0) = x(rows[static_cast<std::size_t>(r)], 0);
    ry[r] = y[rows[static_cast<std::size_t>(r)]];
  }
  for (const bool kernel : {true, false}) {
    const Case a{"", kernel ? gaussian_gram(x, 1) : x, kernel, true, weight, 0.1, y};
    const Case b{"", kernel ? gaussian_gram(rx, 1) : rx, kernel, true, {}, 0.1, ry};
    const auto fa = a.solver().path(y, some_lambdas), fb = b.solver().path(ry, some_lambdas);
    for (std::size_t k = 0; k < fa.size(); ++k) {
      EXPECT_NEAR(fa[k].objective, fb[k].objective, 1e-10 * fa[k].objective);
      EXPECT_NEAR(fa[k].rss, fb[k].rss, 1e-8 * (1 + fa[k].rss));
      EXPECT_NEAR(fa[k].offset, fb[k].offset, 1e-8);
      EXPECT_EQ(fa[k].df, fb[k].df);
    }
  }
}

TEST(Svr, LinearKernelIsLinearBasis) {
  const Matrix x = random_matrix(30, 4, 12);
  const Vector y = wavy_targets(x, 13);
  const Case basis{"", x, false, true, {}, 0.1, y}, kernel{"", x * x.transpose(), true, true, {}, 0.1, y};
  const auto a = basis.solver().path(y, some_lambdas), b = kernel.solver().path(y, some_lambdas);
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_NEAR(a[k].objective, b[k].objective, 1e-10 * a[k].objective);
    EXPECT_LT((basis.fitted(a[k]) - kernel.fitted(b[k])).norm(), 1e-7);
    EXPECT_EQ(a[k].df, b[k].df);
  }
}

TEST(Svr, ShiftAndScaleOfTargets) {
  const Case c = cases()[0];
  const auto base = c.solver().path(c.y, some_lambdas);
  Case shifted = c;
  shifted.y = c.y.array() + 5;
  const auto up = shifted.solver().path(shifted.y, some_lambdas);
  // y, ε → 3y, 3ε leaves the solution's shape: f → 3f needs λ → λ/3.
  Case scaled = c;
  scaled.y = 3 * c.y;
  scaled.epsilon = 3 * c.epsilon;
  std::vector<double> lambdas = some_lambdas;
  for (double& lambda : lambdas) lambda /= 3;
  const auto big = scaled.solver().path(scaled.y, lambdas);
  for (std::size_t k = 0; k < base.size(); ++k) {
    EXPECT_NEAR(up[k].offset, base[k].offset + 5, 1e-8);
    EXPECT_NEAR(up[k].objective, base[k].objective, 1e-9 * base[k].objective);
    EXPECT_NEAR(big[k].objective, 9 * base[k].objective, 1e-9 * big[k].objective);
    EXPECT_NEAR(big[k].offset, 3 * base[k].offset, 1e-8);
  }
}

/// An even number of rows, half of them at each bound: the offset has an interval.
TEST(Svr, OffsetIsTheMiddleOfItsIntervalInAnyOrder) {
  const Index n = 40;
  const Matrix x = random_matrix(n, 8, 51);
  Random random(52);
  const Vector y = 2.5 + (x.col(0) + 0.7 * random.normal_vector(n)).array();
  for (const double lambda : {3e3, 6e3, 1e5}) {
    double first = 0;
    for (std::uint64_t order = 0; order < 20; ++order) {
      const auto rows = Random(order).permutation(n);
      const Case c{"", x(rows, Eigen::all), false, true, {}, 0.1, y(rows)};
      const PathFit fit = c.solver().refit(c.y, lambda, PathFit{});
      const Vector r = c.y - c.features * fit.coefficients;
      double low = -HUGE_VAL, high = HUGE_VAL;
      for (Index i = 0; i < n; ++i) {
        const double up = r[i] - (fit.dual[i] >= 0 ? 0.1 : -0.1);
        const double down = r[i] - (fit.dual[i] > 0 ? 0.1 : -0.1);
        if (fit.dual[i] < 1 / lambda) low = std::max(low, up);
        if (fit.dual[i] > -1 / lambda) high = std::min(high, down);
      }
      EXPECT_FALSE(fit.unique) << order;
      EXPECT_GT(high - low, 1e-6);
      EXPECT_NEAR(fit.offset, 0.5 * (low + high), 1e-12) << order;
      if (order == 0) first = fit.offset;
      EXPECT_NEAR(fit.offset, first, 1e-12) << order;
    }
  }
}

TEST(Svr, FarTargetsAndInputsCostNothing) {
  const Index n = 40;
  const Matrix x = random_matrix(n, 8, 53);
  Random random(54);
  const Vector y = x.col(0) + 0.7 * random.normal_vector(n);
  std::vector<double> lambdas;
  for (int k = -15; k <= 20; ++k) lambdas.push_back(std::pow(10, 0.25 * k));
  const double step = std::ldexp(1.0, 20);
  // Rounded to what is exact beside the steps: the same numbers, elsewhere.
  const auto rounded = [&](const auto& m) { return ((m.array() + 64 * step) - 64 * step).matrix().eval(); };
  for (const bool wide : {false, true}) {
    const Index rows = wide ? 12 : n;
    const Case near{"", rounded(x.topRows(rows)), false, true, {}, 0.125, rounded(y.head(rows))};
    const auto base = near.solver().path(near.y, lambdas);
    for (const bool inputs : {false, true}) {
      Case far = near;
      if (inputs)
        far.features.array() += step;
      else
        far.y.array() += step;
      const auto fits = far.solver().path(far.y, lambdas);
      for (std::size_t k = 0; k < fits.size(); ++k) {
        SCOPED_TRACE(lambdas[k]);
        EXPECT_TRUE(fits[k].converged);
        EXPECT_EQ(fits[k].unique, base[k].unique);
        EXPECT_EQ(fits[k].df, base[k].df);
        EXPECT_NEAR(fits[k].rss, base[k].rss, 1e-8 * (1 + base[k].rss));
        EXPECT_LT((fits[k].coefficients - base[k].coefficients).norm(), 1e-8);
      }
    }
  }
}

TEST(Svr, WideTubeLeavesTheOffsetOpen) {
  Case c = cases()[0];
  c.epsilon = c.y.maxCoeff() - c.y.minCoeff();
  const double lambda = 0.1;
  const PathFit fit = c.solver().path(c.y, {&lambda, 1})[0];
  EXPECT_TRUE(fit.active.empty());
  EXPECT_EQ(fit.objective, 0);
  EXPECT_EQ(fit.gap, 0);
  EXPECT_TRUE(fit.converged);
  EXPECT_FALSE(fit.unique);
  EXPECT_NEAR(fit.offset, 0.5 * (c.y.maxCoeff() + c.y.minCoeff()), 1e-14);
  EXPECT_EQ(fit.df, 1);
  c.intercept = false;
  c.epsilon = c.y.cwiseAbs().maxCoeff();
  const PathFit none = c.solver().path(c.y, {&lambda, 1})[0];
  EXPECT_TRUE(none.unique);
  EXPECT_EQ(none.df, 0);
  EXPECT_EQ(none.offset, 0);
}

TEST(Svr, TinyAndDegenerateInputs) {
  const double lambda = 0.3;
  for (const double epsilon : {0.0, 0.1}) {
    const PathFit one = Svr({share(Matrix::Ones(1, 1)), {}, true}, {epsilon, true})
                            .path(Vector::Constant(1, 2), {&lambda, 1})[0];
    EXPECT_NEAR(one.offset, 2, 1e-14);
    EXPECT_EQ(one.df, 1);
    EXPECT_EQ(one.unique, epsilon == 0);
    // Two rows: the best line touches both tubes or its slope is held by the bound; by hand for K = I.
    const PathFit two = Svr({share(Matrix::Identity(2, 2)), {}, true}, {epsilon, true})
                            .path(Eigen::Vector2d(0, 1), {&lambda, 1})[0];
    EXPECT_NEAR(two.dual[1], 0.5 - epsilon, 1e-13);
    EXPECT_NEAR(two.offset, 0.5, 1e-13);
    EXPECT_EQ(two.df, 2);
    const Vector same = Vector::Constant(40, 3);
    for (const Case& c : cases()) {
      if (c.y.size() != 40 || !c.intercept) continue;
      const PathFit flat =
          Svr({share(c.features), c.weight, true}, {epsilon, c.kernel}).path(same, {&lambda, 1})[0];
      EXPECT_NEAR(flat.offset, 3, 1e-13) << c.name;
      EXPECT_NEAR(flat.objective, 0, 1e-12);
      EXPECT_TRUE(flat.converged);
    }
  }
}

TEST(Svr, ExtremesOfLambda) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const std::vector<double> lambdas = {1e-7, 1e9};
    const auto fits = c.solver().path(c.y, lambdas);
    const Vector fitted = c.fitted(fits[1]);
    EXPECT_LT(fitted.maxCoeff() - fitted.minCoeff(), 1e-6);
    EXPECT_TRUE(fits[0].converged);
    EXPECT_TRUE(fits[1].converged);
    if (c.name == "gaussian") {
      EXPECT_LT((c.y - c.fitted(fits[0])).cwiseAbs().maxCoeff(), c.epsilon + 1e-7);
    }
  }
}

TEST(Svr, SaysWhatIsWrong) {
  const auto message = [](const auto& body) -> std::string {
    try {
      body();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const Case c = cases()[0];
  const Svr solver = c.solver();
  const double zero = 0;
  EXPECT_NE(message([&] { solver.path(c.y, {&zero, 1}); }).find("give a positive λ"), std::string::npos);
  EXPECT_NE(message([&] { solver.refit(c.y, -1, PathFit{}); }).find("λ = -1"), std::string::npos);
  EXPECT_NE(message([&] { solver.refit(Vector::Zero(3), 1, PathFit{}); }).find("3 targets for 40 rows"),
            std::string::npos);
  EXPECT_NE(message([&] {
              Svr({share(Matrix::Zero(3, 2)), {}, true}, {0.1, true});
            }).find("square"),
            std::string::npos);
  EXPECT_NE(message([&] {
              Svr({share(Matrix::Zero(3, 2)), {}, true}, {-1, false});
            }).find("epsilon = -1"),
            std::string::npos);
  EXPECT_NE(message([&] {
              Svr({share(Matrix::Zero(3, 2)), Vector::Zero(3), true}, {0.1, false});
            }).find("positive"),
            std::string::npos);
}

TEST(Svr, DivergenceAndTraceAreDerivatives) {
  for (const Case& c : cases()) {
    if (c.name == "gaussian_ties") continue;  // not differentiable there
    const Svr solver = c.solver();
    const Index n = c.y.size(), columns = c.features.cols();
    const Matrix m = random_matrix(n, columns + 1, 21);
    for (const PathFit& fit : solver.path(c.y, std::vector<double>{0.02, 0.3, 4, 500})) {
      if (c.name == "gaussian_wide_singular" && fit.lambda < 0.1)
        continue;  // differences of β lose all digits
      SCOPED_TRACE(c.name + " lambda " + std::to_string(fit.lambda));
      const double h = 1e-6;
      double divergence = 0, trace = 0;
      for (Index i = 0; i < n; ++i) {
        Vector up = c.y, down = c.y;
        up[i] += h;
        down[i] -= h;
        const PathFit a = solver.refit(up, fit.lambda, fit), b = solver.refit(down, fit.lambda, fit);
        divergence += (c.fitted(a) - c.fitted(b))[i] / (2 * h);
        trace += m.row(i).head(columns).dot(a.coefficients - b.coefficients) / (2 * h);
        if (c.intercept) trace += m(i, columns) * (a.offset - b.offset) / (2 * h);
      }
      EXPECT_NEAR(fit.df, divergence, 1e-5);
      EXPECT_NEAR(solver.trace(fit, m), trace, 1e-4 * (1 + std::abs(trace)));
    }
  }
}

TEST(Svr, SteinRiskEstimateIsUnbiased) {
  const Index n = 40;
  const Matrix x = random_matrix(n, 1, 31);
  const Vector truth = (2 * x.col(0)).array().sin();
  const double sigma = 0.4, lambda = 0.5;
  for (const bool kernel : {true, false}) {
    const Case c{"", kernel ? gaussian_gram(x, 0.7) : x, kernel, true, {}, 0.15, truth};
    const Svr solver = c.solver();
    PathFit fit;
    double sum = 0, squares = 0;
    const int replicates = 2000;
    for (int r = 0; r < replicates; ++r) {
      Random random(32, static_cast<std::uint64_t>(r));
      const Vector y = truth + sigma * random.normal_vector(n);
      fit = solver.refit(y, lambda, fit);
      const double estimate = fit.rss / n - sigma * sigma + 2 * sigma * sigma * fit.df / n;
      const double difference = estimate - (c.fitted(fit) - truth).squaredNorm() / n;
      sum += difference;
      squares += difference * difference;
    }
    const double mean = sum / replicates;
    EXPECT_LT(std::abs(mean), 3 * std::sqrt((squares / replicates - mean * mean) / replicates));
  }
}

TEST(Svr, AutomaticGridReachesBothEnds) {
  for (const double scale : {1.0, 1e3}) {
    Case c = cases()[0];
    c.y *= scale;
    c.epsilon *= scale;
    const auto grid = c.solver().automatic_grid(c.y);
    ASSERT_GE(grid.size(), 11u);
    EXPECT_LE(grid.size(), 41u);
    EXPECT_TRUE(std::is_sorted(grid.begin(), grid.end()));
    EXPECT_NEAR(std::log10(grid.back()), std::round(std::log10(grid.back())), 1e-9);
    const auto fits = c.solver().path(c.y, grid);
    const Vector last = c.fitted(fits.back());
    const double range = c.y.maxCoeff() - c.y.minCoeff();
    EXPECT_LT(last.maxCoeff() - last.minCoeff(), 0.02 * range);
    EXPECT_LT((c.y - c.fitted(fits.front())).cwiseAbs().maxCoeff(), c.epsilon + 0.1 * range);
  }
}

TEST(Svr, SameCallGivesSameBits) {
  const Case c = cases()[2];
  const Svr solver = c.solver();
  const auto a = solver.path(c.y, some_lambdas), b = solver.path(c.y, some_lambdas);
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].coefficients, b[k].coefficients);
    EXPECT_EQ(a[k].offset, b[k].offset);
  }
}

}  // namespace
}  // namespace gnomon::svr_test
