// GEN and the evidence of Huber, against explicit matrices and quadrature.

#include <gtest/gtest.h>

#include "gen_cases.hpp"
#include "harness.hpp"
#include "reference/by_name.hpp"
#include "reference/fper.hpp"
#include "reference/gpe.hpp"

namespace gnomon::testing::gen_huber_test {
namespace {

using namespace gen_cases;

constexpr double pi = 3.14159265358979323846;
const std::vector<double>& lambdas = gen_lambdas;

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

}  // namespace
}  // namespace gnomon::testing::gen_huber_test
