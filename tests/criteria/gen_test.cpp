// GEN, NIC, FPER and GPE along a path over λ, and the evidence of Huber: against explicit matrices, between strategies, by
// simulation, and in a selection.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "../learn/path_cases.hpp"
#include "../reference/dense.hpp"
#include "decompose/decomposition.hpp"
#include "harness.hpp"
#include "learn/ridge_groups/grouped_ridge.hpp"
#include "reference/by_name.hpp"
#include "reference/fper.hpp"
#include "reference/gpe.hpp"
#include "represent/gram.hpp"

namespace gnomon::testing::gen_test {
namespace {

constexpr double pi = 3.14159265358979323846;
const std::vector<double> lambdas{0.02, 0.6, 7, 200};

/// Neighbouring rows are made dependent, so that products of rows apart matter.
Data series(Index n, Index d, std::uint64_t seed) {
  Data data = make_data(n, d, seed, false);
  for (Index i = 1; i < n; ++i) {
    data.x.row(i) += 0.7 * data.x.row(i - 1);
    data.y(i, 0) += 0.5 * data.y(i - 1, 0);
  }
  return data;
}

Vector gen_of(const Learner& learner, int lags, const std::vector<double>& at = lambdas) {
  return judge(learner, gen, at, {.lags = lags}).value;
}

double lag_total(int lags, double n) { return 2.0 * lags + 1 - lags * (lags + 1.0) / n; }

void expect_same(const Vector& a, const Vector& b, double tolerance, const std::string& what) {
  ASSERT_EQ(a.size(), b.size());
  for (Index k = 0; k < a.size(); ++k)
    EXPECT_NEAR(a[k], b[k], tolerance * std::abs(b[k])) << what << " at " << k;
}

// ---------------------------------------------------------------------------------- smoothers against definitions

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

/// The definition in weight space: scores, their lagged products, the Hessian and the penalty's gradient, all explicit.
double gen_from_scores(const Matrix& scores, const Matrix& hessian, const Vector& penalty_gradient, double s,
                       int lags) {
  const double n = static_cast<double>(scores.rows());
  Matrix l = scores.transpose() * scores / n;
  for (Index lag = 1; lag <= lags; ++lag) {
    const Index rows = scores.rows() - lag;
    const Matrix k = scores.topRows(rows).transpose() * scores.bottomRows(rows) / n;
    l += k + k.transpose();
  }
  const auto factor = hessian.ldlt();
  return s + factor.solve(l).trace() / n -
         lag_total(lags, n) / n * penalty_gradient.dot(factor.solve(penalty_gradient));
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

// ------------------------------------------------------------------------------------------------ Huber with ridge

PathLearner huber_learner(const Data& data, double tau, bool intercept = true) {
  const PathCase huber{"huber", {}, [tau](double) { return huber_factory(tau); }};
  return huber.learner(data, intercept);
}

/// All that the criteria of Huber are made of, by explicit matrices on [Φ 1].
struct ExplicitHuber {
  Matrix scores, hessian, penalised, decay;
  Vector theta;
  double loss = 0, rss = 0, n, kappa;

  ExplicitHuber(const PathLearner& learner, const PathFit& fit, double tau) {
    const Matrix& phi = learner.features();
    const Index rows = phi.rows(), p = phi.cols(), q = p + (learner.intercept() ? 1 : 0);
    n = static_cast<double>(rows);
    kappa = fit.lambda / n;
    Matrix x(rows, q);
    x.leftCols(p) = phi;
    if (learner.intercept()) x.col(p).setOnes();
    theta = learner.parameters_of(fit);
    const Vector u = learner.target(0) - x * theta;
    scores.resize(rows, q);
    hessian = Matrix::Zero(q, q);
    for (Index k = 0; k < rows; ++k) {
      const bool inside = std::abs(u[k]) <= tau;
      const double psi = std::min(std::max(u[k], -tau), tau);
      scores.row(k) = -2 * psi * x.row(k);
      loss += inside ? u[k] * u[k] : 2 * tau * std::abs(u[k]) - tau * tau;
      rss += u[k] * u[k];
      if (inside) hessian += 2 / n * x.row(k).transpose() * x.row(k);
    }
    decay = Matrix::Zero(q, q);
    decay.diagonal().head(p).setConstant(kappa);
    penalised = hessian + 2 * decay;
  }
  double gen_at(int lags) const {
    return gen_from_scores(scores, penalised, 2 * decay * theta, loss / n, lags);
  }
  double fper_value() const {
    const Matrix shrink = penalised.ldlt().solve(hessian);
    const double m1 = shrink.trace(), m2 = (shrink * shrink).trace();
    return rss / n * (n + m2) / (n - 2 * m1 + m2);
  }
};

TEST(GenOfHuber, MatchesExplicitMatrices) {
  const Data data = series(40, 3, 13);
  for (const bool intercept : {false, true}) {
    for (const double tau : {0.15, 0.5, 3.0}) {
      const PathLearner learner = huber_learner(data, tau, intercept);
      const Vector counted = judge(learner, fper, lambdas).value;
      const auto& fits = learner.path(lambdas, 0);
      for (std::size_t k = 0; k < lambdas.size(); ++k) {
        const ExplicitHuber slow(learner, fits[k], tau);
        const Index at = static_cast<Index>(k);
        for (const int lags : {0, 1, 6}) {
          const double expected = slow.gen_at(lags);
          EXPECT_NEAR(gen_of(learner, lags)[at], expected, 1e-8 * std::abs(expected)) << tau << " " << lags;
        }
        EXPECT_NEAR(counted[at], slow.fper_value(), 1e-8 * slow.fper_value()) << tau;
      }
      EXPECT_EQ(judge(learner, nic, lambdas).value, gen_of(learner, 0));
      EXPECT_EQ(judge(learner, gpe, lambdas).value, judge(learner, fpe, lambdas).value);
    }
  }
}

TEST(GenOfHuber, AWideTauGivesRidge) {
  for (const Index columns : {Index{3}, Index{30}}) {  // tall, and wider than long
    const Data data = series(26, columns, 14);
    for (const bool intercept : {false, true}) {
      const PathLearner huber = huber_learner(data, 1e6, intercept);
      const Smoother ridge(data.x, data.y, Vector(),
                           {.representation = Basis::fit("linear", data.x),
                            .filter = tikhonov,
                            .intercept = intercept,
                            .needs = {.leave_one_out = true}});
      for (const int lags : {0, 2}) expect_same(gen_of(huber, lags), gen_of(ridge, lags), 1e-7, "gen");
      for (const Criterion& each : {nic, fper, gpe, evidence})
        expect_same(judge(huber, each, lambdas).value, judge(ridge, each, lambdas).value, 1e-7,
                    std::string(each.name));
    }
  }
}

TEST(GenOfHuber, WeightsCountRowsAndGoWithIndependentOnesOnly) {
  const Data weighted = make_data(24, 3, 15, true);
  const PathLearner counted = huber_learner(weighted, 0.3), copied = huber_learner(repeated(weighted), 0.3);
  for (const Criterion& each : {gen, nic, fper, gpe, evidence})
    expect_same(judge(counted, each, lambdas).value, judge(copied, each, lambdas).value, 1e-7,
                std::string(each.name));
  EXPECT_THROW(gen_of(counted, 1), Error);
  EXPECT_TRUE(gen_of(copied, 1).allFinite());
}

TEST(GenOfHuber, DependentColumnsDoNotMatter) {
  Data data = series(30, 2, 16);
  const PathLearner plain = huber_learner(data, 0.4);
  data.x.conservativeResize(30, 3);
  data.x.col(2) = data.x.col(0) - data.x.col(1);
  const PathLearner doubled = huber_learner(data, 0.4);
  for (const Criterion& each : {gen, fper})
    expect_same(judge(doubled, each, std::vector<double>{0}).value,
                judge(plain, each, std::vector<double>{0}).value, 1e-7, std::string(each.name));
}

TEST(GenOfHuber, AFlatLossLeavesItUndefined) {
  // Under a strong penalty the offset is the median of an even sample: any point between the inner two.
  Data data{Matrix(4, 1), Matrix(4, 1), Vector()};
  data.x << 1, -1, 1, -1;
  data.y << 5, 5, -5, -5;
  const PathLearner learner = huber_learner(data, 0.01);
  const std::vector<double> strong{1e4};
  ASSERT_FALSE(learner.path(strong, 0).front().unique);
  for (const Criterion& each : {gen, nic, fper, evidence})
    EXPECT_TRUE(std::isnan(judge(learner, each, strong).value[0])) << each.name;
}

TEST(EvidenceOfHuber, NeedsAPrior) {
  const PathLearner learner = huber_learner(series(24, 2, 18), 0.3);
  const std::vector<double> path{0, 1};
  const Vector value = judge(learner, evidence, path).value;
  EXPECT_TRUE(std::isnan(value[0]));
  EXPECT_TRUE(std::isfinite(value[1]));
}

TEST(EvidenceOfHuber, TellsTailsFromGaussianNoise) {
  const auto least = [](bool tails, double tau) {
    Random random(19);
    Data data{Matrix(300, 2), Matrix(300, 1), Vector()};
    for (Index j = 0; j < 2; ++j) data.x.col(j) = random.normal_vector(300);
    for (Index i = 0; i < 300; ++i)
      data.y(i, 0) = data.x(i, 0) - data.x(i, 1) + random.normal() * (tails && i % 6 == 0 ? 8 : 1);
    return judge(huber_learner(data, tau), evidence, lambdas).value.minCoeff();
  };
  EXPECT_LT(least(true, 0.3), least(true, 10) - 20);
  EXPECT_LT(least(false, 10), least(false, 0.3));
}

TEST(EvidenceOfHuber, MatchesLaplaceByQuadratureAndDeterminant) {
  const Data data = series(24, 2, 17);
  for (const double tau : {0.1, 0.6}) {
    for (const bool intercept : {false, true}) {
      const PathLearner learner = huber_learner(data, tau, intercept);
      const Vector value = judge(learner, evidence, lambdas).value;
      const auto& fits = learner.path(lambdas, 0);
      for (std::size_t k = 0; k < lambdas.size(); ++k) {
        const ExplicitHuber slow(learner, fits[k], tau);
        const double objective = slow.loss + lambdas[k] * fits[k].coefficients.squaredNorm();
        const double parameters = static_cast<double>(slow.penalised.rows());
        const double log_det = (slow.n * slow.penalised).ldlt().vectorD().array().log().sum();
        const auto minus_two_log = [&](double beta) {
          // ∫ exp(−β 2ρ) du by the midpoint rule, in two pieces so that no cell holds the kink at τ.
          double z = 0;
          const double far = 20 / (beta * tau);
          for (int i = 0; i < 4000; ++i) {
            const double inner = (i + 0.5) / 4000 * tau, outer = (i + 0.5) / 4000 * far;
            z += 2 * tau / 4000 * std::exp(-beta * inner * inner);
            z += 2 * far / 4000 * std::exp(-beta * (tau * tau + 2 * tau * outer));
          }
          return 2 * beta * objective + 2 * slow.n * std::log(z) - 2 * std::log(beta * lambdas[k] / pi) -
                 parameters * std::log(2 * pi) + parameters * std::log(beta) + log_det;
        };
        double least = HUGE_VAL;  // over a fine grid of β
        for (double log_beta = -3; log_beta < 3; log_beta += 0.01)
          least = std::min(least, minus_two_log(slow.n / objective * std::exp(log_beta)));
        EXPECT_NEAR(value[static_cast<Index>(k)], least, 5e-3) << tau << " " << lambdas[k];
        EXPECT_LT(value[static_cast<Index>(k)], least + 1e-3);
      }
    }
  }
}

// ----------------------------------------------------------------------------------------------------- by simulation

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

// ---------------------------------------------------------------------------------------------------- in a selection

TrainingData toy(Index n, std::uint64_t seed = 1) {
  Random random(seed);
  const Synthetic data = make_synthetic("sinc", n, 0.2, random);
  return {data.x, data.y, Vector(), {"y"}};
}

std::string message_of(const TrainingData& data, const SelectionRequest& request) {
  try {
    select(data, request);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

bool says(const std::vector<std::string>& warnings, std::string_view words) {
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const std::string& w) { return w.find(words) != std::string::npos; });
}

TEST(GenInSelection, InSampleCriteriaDoNotChooseNearInterpolation) {
  const TrainingData data = toy(40);
  for (const std::string name : {"gen", "gen:2", "nic", "fpe", "gpe", "fper"}) {
    for (const Search search : {Search::grid, Search::refine}) {
      SelectionRequest request;
      request.kernel = "laplace";
      request.criteria = {name};
      request.search = search;
      const TargetSelection t = select(data, request).targets[0];
      EXPECT_LE(t.chosen_df, 0.8 * 40) << name;
      Index least;
      const Vector& curve = t.chosen().curve.value;
      const double lowest = curve.minCoeff(&least);
      ASSERT_TRUE(curve.allFinite()) << name;  // the curve itself is whole
      if (name == "fper") continue;            // has a limit above zero at the interpolant
      EXPECT_GT(t.path()->df[least], 0.8 * 40) << name;
      EXPECT_LT(lowest, 1e-3 * t.chosen().selected->value) << name;
      EXPECT_TRUE(says(t.warnings, "left out of the choice")) << name;
      EXPECT_TRUE(says(t.warnings, name)) << name;
    }
  }
}

TEST(GenInSelection, NothingIsSaidWhereNothingWasRefused) {
  SelectionRequest request;
  request.learner = "ridge";
  request.criteria = {"gen", "gen:3", "nic", "fper", "gpe", "fpe"};
  const TargetSelection t = select(toy(80), request).targets[0];
  EXPECT_FALSE(says(t.warnings, "left out of the choice"));
  for (const auto& c : t.path()->criteria) ASSERT_TRUE(c.selected) << c.label;
  EXPECT_EQ(t.path()->criteria[0].lambda, t.path()->criteria[2].lambda);
  EXPECT_NE(t.path()->criteria[0].selected->value, t.path()->criteria[1].selected->value);
}

TEST(GenInSelection, APathWithoutAnAdmissiblePointIsAnErrorOrANote) {
  SelectionRequest request;
  request.kernel = "laplace";
  request.lambda = "1e-7:1e-5:4";
  request.criteria = {"gen"};
  EXPECT_NE(message_of(toy(30), request).find("every fit of the path has more than 0.8 n"),
            std::string::npos);
  request.criteria = {"loo", "fpe", "gen"};
  const TargetSelection t = select(toy(30), request).targets[0];
  EXPECT_FALSE(t.path()->criteria[1].selected);
  EXPECT_TRUE(says(t.warnings, "fpe, gen chose nothing"));
  EXPECT_FALSE(says(t.warnings, "undefined along the whole path"));
}

TEST(GenInSelection, BadLengthsAreRefusedInWords) {
  for (const std::string name : {"gen:x", "gen:-1", "gen:1.5", "gen:", "gen:nan"}) {
    EXPECT_THROW(find_criterion(name), UsageError) << name;
  }
  for (const std::string name : {"nic:1", "fper:2", "gpe:3", "cv:1"}) {
    EXPECT_THROW(find_criterion(name), UsageError) << name;
  }
  EXPECT_EQ(find_criterion("gen:7").lags, 7);
  EXPECT_EQ(find_criterion("gen:0").lags, 0);
  EXPECT_EQ(find_criterion("gen").lags, 0);
  EXPECT_EQ(find_criterion("cv:7").folds, 7);
  SelectionRequest request;
  request.criteria = {"gen:20"};
  EXPECT_NE(message_of(toy(20), request).find("needs more than 20 rows; there are 20"), std::string::npos);
  request.criteria = {"gen:19"};
  EXPECT_EQ(message_of(toy(20), request), "accepted");
  TrainingData weighted = toy(20);
  weighted.weight = Vector::Constant(20, 2);
  request.criteria = {"gen:1"};
  EXPECT_NE(message_of(weighted, request).find("weights repeat rows"), std::string::npos);
  request.criteria = {"gen"};
  EXPECT_EQ(message_of(weighted, request), "accepted");
}

TEST(GenInSelection, HubersOwnLossCannotChooseTau) {
  SelectionRequest request;
  request.learner = "huber";
  request.basis = "polynomial:4";
  request.tau = "0.1,0.3";
  request.criteria = {"gen"};
  EXPECT_NE(message_of(toy(50), request).find("cannot choose tau"), std::string::npos);
  request.criteria = {"evidence", "fper"};
  EXPECT_EQ(message_of(toy(50), request), "accepted");
  request.criteria = {"all"};
  const Selection all = select(toy(50), request);
  for (const auto& c : all.targets[0].path()->criteria) {
    EXPECT_NE(c.label, "gen");
    EXPECT_NE(c.label, "nic");
  }
  request.tau = "0.3";
  request.criteria = {"gen", "gen:2", "evidence"};
  const TargetSelection t = select(toy(50), request).targets[0];
  for (const auto& c : t.path()->criteria) EXPECT_TRUE(c.selected) << c.label;
}

TEST(GenInSelection, GapsOfHuberAreSaid) {
  TrainingData data{Matrix(8, 1), Matrix(8, 1), Vector(), {"y"}};
  data.x << 1, -1, 0.9, -1, 1, -1, 0.9, -1;
  data.y << 5, 5, -5, -5, 5.1, 5.1, -5.1, -5.1;
  SelectionRequest request;
  request.learner = "huber";
  request.tau = "0.01,8";
  request.lambda = "1,1e4";
  request.criteria = {"cv:2", "fper"};
  const TargetSelection t = select(data, request).targets[0];
  EXPECT_TRUE(says(t.warnings, "fper is undefined at 2 of 4 points"));
}

TEST(GenInSelection, ImportanceWeightsAreRefused) {
  TrainingData data = toy(40);
  data.importance = Vector::LinSpaced(40, 0.5, 2);
  SelectionRequest request;
  request.learner = "huber";
  for (const std::string name : {"gen", "fper", "gpe", "evidence"}) {
    request.criteria = {name};
    EXPECT_NE(message_of(data, request).find("not at the test inputs"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace gnomon::testing::gen_test
