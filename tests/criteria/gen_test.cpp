// GEN, NIC, FPER and GPE of smoothers along a path over λ: against explicit matrices and between strategies.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "decompose/decomposition.hpp"
#include "gen_cases.hpp"
#include "harness.hpp"
#include "learn/ridge_groups/grouped_ridge.hpp"
#include "reference/by_name.hpp"
#include "reference/fper.hpp"
#include "reference/gpe.hpp"
#include "represent/gram.hpp"

namespace gnomon::testing::gen_test {
namespace {

using namespace gen_cases;

const std::vector<double>& lambdas = gen_lambdas;

/// S + (2/n) Σ e_k e_l H_kl over |k − l| ≤ M − (2A/n²) eᵀHe from the n × n hat matrix.
double gen_from_hat(const reference::Wide& hat, const reference::Wide& y, int lags) {
  const reference::Wide e = y - hat * y;
  const Index n = y.rows();
  long double near = 0, all = 0;
  for (Index k = 0; k < n; ++k) {
    for (Index l = 0; l < n; ++l) {
      const long double product = e(k, 0) * e(l, 0) * hat(k, l);
      all += product;
      if (std::abs(k - l) <= lags) near += product;
    }
  }
  const long double count = static_cast<long double>(n);
  return static_cast<double>(e.squaredNorm() / count + 2 / count * near -
                             2 * lag_total(lags, static_cast<double>(n)) / (count * count) * all);
}

TEST(Gen, EveryRidgeMatchesItsHatMatrix) {
  const Data data = series(24, 2, 5);
  for (const Case& each : all_cases()) {
    if (each.weighted || !each.filter.closed_form_deletion) continue;
    const Smoother smoother(data.x, data.y, Vector(), each.options(data.x));
    const auto problem =
        reference::problem_of(each.representation(data.x), each.filter, data.x, Vector(), each.intercept);
    const reference::Wide y = data.y.cast<long double>(), ones = reference::Wide::Ones(24, 1);
    const Vector counted = judge(smoother, fper, lambdas).value, moody = judge(smoother, gpe, lambdas).value;
    for (const int lags : {0, 1, 4, 23}) {
      const Vector value = gen_of(smoother, lags);
      for (std::size_t k = 0; k < lambdas.size(); ++k) {
        const double expected = gen_from_hat(problem.hat(ones, lambdas[k]), y, lags);
        EXPECT_NEAR(value[static_cast<Index>(k)], expected, 1e-8 * std::abs(expected))
            << each.name << " M " << lags << " λ " << lambdas[k];
      }
    }
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      const reference::Wide hat = problem.hat(ones, lambdas[k]);
      const long double s = (y - hat * y).squaredNorm() / 24, m1 = hat.trace(), m2 = (hat * hat).trace();
      const double regularized = static_cast<double>(s * (24 + m2) / (24 - 2 * m1 + m2));
      const double effective = static_cast<double>(s * (24 + m1) / (24 - m1));
      EXPECT_NEAR(counted[static_cast<Index>(k)], regularized, 1e-8 * regularized) << each.name;
      EXPECT_NEAR(moody[static_cast<Index>(k)], effective, 1e-8 * effective) << each.name;
    }
    EXPECT_EQ(judge(smoother, nic, lambdas).value, gen_of(smoother, 0));
    EXPECT_EQ(moody, judge(smoother, fpe, lambdas).value);
  }
}

TEST(Gen, RidgeMatchesScoresAndHessian) {
  const Data data = series(30, 3, 6);
  const Smoother smoother(
      data.x, data.y, Vector(),
      {.representation = Basis::fit("linear", data.x), .filter = tikhonov, .needs = {.leave_one_out = true}});
  Matrix x(30, 4);
  x << data.x, Vector::Ones(30);
  for (const int lags : {0, 2, 7}) {
    const Vector value = gen_of(smoother, lags);
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      Matrix decay = Matrix::Identity(4, 4) * lambdas[k] / 30;
      decay(3, 3) = 0;
      const Matrix b = x.transpose() * x / 30 + decay;
      const Vector w = b.ldlt().solve(x.transpose() * data.y.col(0) / 30), e = data.y.col(0) - x * w;
      const double expected =
          gen_from_scores(-2 * (e.asDiagonal() * x), 2 * b, 2 * decay * w, e.squaredNorm() / 30, lags);
      EXPECT_NEAR(value[static_cast<Index>(k)], expected, 1e-9 * std::abs(expected)) << lags;
    }
  }
}

/// The same model for the general code: features and a column of ones that is not penalised, κ = λ/n.
GroupedRidge grouped(const Matrix& features, const Matrix& y, bool intercept) {
  Matrix x(features.rows(), features.cols() + (intercept ? 1 : 0));
  x.leftCols(features.cols()) = features;
  std::vector<int> group(static_cast<std::size_t>(features.cols()), 0);
  if (intercept) {
    x.col(features.cols()).setOnes();
    group.push_back(-1);
  }
  return GroupedRidge(x, y, GroupedPenalty::decay(group));
}

TEST(Gen, AgreesWithTheEstimatesOfSeveralDecays) {
  const Data data = series(26, 2, 7);
  for (const Case& each : all_cases()) {
    if (each.weighted || !each.filter.closed_form_deletion) continue;
    const Smoother smoother(data.x, data.y, Vector(), each.options(data.x));
    Matrix features;
    if (each.kernel.empty()) {
      features = std::get<Basis>(each.representation(data.x)).design(data.x);
    } else {
      const Matrix k = gram(std::get<Kernel>(each.representation(data.x)), data.x);
      const Eigen::SelfAdjointEigenSolver<Matrix> eigen(k);
      features = each.filter.shift == Shift::plain
                     ? Matrix(eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal())
                     : k;
      if (each.filter.shift == Shift::squared && each.intercept) {
        const Matrix centring = Matrix::Identity(26, 26) - Matrix::Constant(26, 26, 1.0 / 26);
        features = centring * k * centring;
      }
    }
    const GroupedRidge general = grouped(features, data.y, each.intercept);
    const Vector counted = judge(smoother, fper, lambdas).value, moody = judge(smoother, gpe, lambdas).value;
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      const Vector kappa = Vector::Constant(1, lambdas[k] / 26);
      const Index at = static_cast<Index>(k);
      for (const int lags : {0, 3}) {
        const double expected = reference::ridge_gen(general, kappa, {.lags = lags, .gradient = false}).value;
        EXPECT_NEAR(gen_of(smoother, lags)[at], expected, 1e-7 * std::abs(expected)) << each.name;
      }
      const reference::CountedError counts = reference::ridge_counted(general, kappa, false);
      const double expected_fper = reference::fper(counts).value, expected_gpe = reference::gpe(counts).value;
      EXPECT_NEAR(counted[at], expected_fper, 1e-8 * expected_fper) << each.name;
      EXPECT_NEAR(moody[at], expected_gpe, 1e-8 * expected_gpe) << each.name;
    }
  }
}

TEST(Gen, AllStrategiesAgree) {
  const Data data = series(70, 2, 8);
  const std::vector<double> path{1e-3, 0.1, 3, 100};
  for (const bool intercept : {false, true}) {
    const auto on_kernel = [&](Strategy strategy) {
      return Smoother(data.x, data.y, Vector(),
                      {.representation = parse_kernel("matern32", 1.5),
                       .filter = tikhonov,
                       .intercept = intercept,
                       .strategy = strategy,
                       .needs = {.leave_one_out = true}});
    };
    const auto on_basis = [&](Strategy strategy) {
      return Smoother(data.x, data.y, Vector(),
                      {.representation = Basis::fit("polynomial:3", data.x),
                       .filter = tikhonov,
                       .intercept = intercept,
                       .strategy = strategy,
                       .needs = {.leave_one_out = true}});
    };
    const Smoother full = on_kernel(Strategy::full), design = on_basis(Strategy::full);
    const Smoother others[]{on_kernel(Strategy::tridiagonal), on_kernel(Strategy::pivoted_cholesky)};
    const Smoother tall = on_basis(Strategy::gram);
    EXPECT_EQ(others[0].decomposition().strategy(), "tridiagonal");
    EXPECT_EQ(tall.decomposition().strategy(), "gram");
    for (const int lags : {0, 1, 5, 69}) {
      for (const Smoother& other : others)
        expect_same(gen_of(other, lags, path), gen_of(full, lags, path), 1e-8,
                    std::string(other.decomposition().strategy()) + " M " + std::to_string(lags));
      expect_same(gen_of(tall, lags, path), gen_of(design, lags, path), 1e-8, "gram");
    }
    for (const Criterion& each : {fper, gpe}) {
      for (const Smoother& other : others)
        expect_same(judge(other, each, path).value, judge(full, each, path).value, 1e-8, "counts");
      expect_same(judge(tall, each, path).value, judge(design, each, path).value, 1e-8, "counts");
    }
  }
}

TEST(Gen, LambdaBelowTheRoundingOfTheTridiagonalMatrixIsServed) {
  Data data = series(50, 1, 9);
  data.x.bottomRows(10) = data.x.topRows(10);  // a singular Gram
  const auto with = [&](Strategy strategy) {
    return Smoother(data.x, data.y, Vector(),
                    {.representation = parse_kernel("gaussian", 2),
                     .filter = tikhonov,
                     .strategy = strategy,
                     .needs = {.leave_one_out = true}});
  };
  const Smoother tridiagonal = with(Strategy::tridiagonal), full = with(Strategy::full);
  for (const int lags : {0, 2}) {
    const Vector a = gen_of(tridiagonal, lags, {1e-16, 0.1}), b = gen_of(full, lags, {1e-16, 0.1});
    ASSERT_TRUE(a.allFinite());
    EXPECT_NEAR(a[0], b[0], 1e-3 * b[0]);
    EXPECT_NEAR(a[1], b[1], 1e-8 * b[1]);
  }
}

TEST(Gen, PairsOfRowsAreFoundAcrossBlocks) {
  // Strategies go through the rows in blocks of one or two thousand.
  const Index n = 2500;
  const Data data = series(n, 3, 10);
  Matrix x(n, 4);
  x << data.x, Vector::Ones(n);
  const std::vector<double> path{30};
  Matrix b = x.transpose() * x;
  b.diagonal().head(3).array() += 30;
  const auto factor = b.ldlt();
  const Vector e = data.y.col(0) - x * factor.solve(x.transpose() * data.y.col(0));
  const Matrix solved = factor.solve(x.transpose());  // 4 × n
  const auto products = [&](Index lag) {
    double sum = 0;
    for (Index k = 0; k + lag < n; ++k) sum += e[k] * e[k + lag] * x.row(k).dot(solved.col(k + lag));
    return sum;
  };
  const Vector pull = x.transpose() * e;
  const double all = pull.dot(factor.solve(pull));
  for (const int lags : {3, 1300, 2499}) {
    double near = products(0);
    for (Index lag = 1; lag <= lags; ++lag) near += 2 * products(lag);
    const double expected = e.squaredNorm() / n + 2.0 / n * near - 2 * lag_total(lags, n) / n / n * all;
    for (const Strategy strategy : {Strategy::full, Strategy::gram}) {
      const Smoother smoother(data.x, data.y, Vector(),
                              {.representation = Basis::fit("linear", data.x),
                               .filter = tikhonov,
                               .strategy = strategy,
                               .needs = {.leave_one_out = true}});
      EXPECT_NEAR(gen_of(smoother, lags, path)[0], expected, 1e-8 * std::abs(expected)) << lags;
    }
  }
}

TEST(Gen, TendsToZeroWithTheTrainingErrorNearInterpolation) {
  // Why it must not choose there: S and GEN both fall like λ².
  const Data data = make_data(20, 1, 11, false);
  const Smoother smoother(
      data.x, data.y, Vector(),
      {.representation = parse_kernel("laplace", 1), .filter = tikhonov, .needs = {.leave_one_out = true}});
  const Vector value = gen_of(smoother, 0, {1e-6, 1e-5});
  EXPECT_NEAR(value[1] / value[0], 100, 1);
}

TEST(Gen, PlainWordsWhereItIsNotDefined) {
  const Data data = make_data(20, 2, 12, true);
  const Metric metric{Metric::Kind::train, {}, "train"};
  for (const Filter& filter : {spectral_cutoff, landweber}) {
    const Smoother smoother(data.x, data.y, Vector(),
                            {.representation = parse_kernel("gaussian", 1), .filter = filter});
    for (const Criterion& each : {gen, nic, fper, gpe})
      EXPECT_NE(each.undefined_for(smoother, metric).find("Hessian"), std::string::npos) << filter.name;
  }
  for (const PathCase& each : path_cases(0.3)) {
    const bool huber = each.name.find("huber") != std::string::npos;
    for (const Criterion& criterion : {gen, nic, fper, gpe})
      EXPECT_EQ(criterion.undefined_for(each.learner(data), metric).empty(), huber) << each.name;
  }
  const Smoother weighted(
      data.x, data.y, data.weight,
      {.representation = Basis::fit("linear", data.x), .filter = tikhonov, .needs = {.leave_one_out = true}});
  EXPECT_TRUE(gen_of(weighted, 0).allFinite());
  EXPECT_THROW(gen_of(weighted, 1), Error);
  const Smoother plain(
      data.x, data.y, Vector::Ones(20),
      {.representation = Basis::fit("linear", data.x), .filter = tikhonov, .needs = {.leave_one_out = true}});
  EXPECT_TRUE(gen_of(plain, 1).allFinite());
  EXPECT_THROW(gen_of(plain, 20), Error);
  EXPECT_THROW(gen_of(plain, -1), Error);
}

}  // namespace
}  // namespace gnomon::testing::gen_test
