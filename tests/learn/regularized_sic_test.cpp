// The regularized SIC against dense matrices written out, and its estimate of its own squared error by simulation.

#include "learn/regularized_sic.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "criteria/harness.hpp"
#include "represent/gram.hpp"

namespace gnomon::regularized_sic_test {
namespace {

using testing::Judge;
using testing::Running;

Matrix random_symmetric(Random& random, Index n) {
  Matrix a(n, n);
  for (Index j = 0; j < n; ++j) a.col(j) = random.normal_vector(n);
  return (a + a.transpose()) / 2;
}

TEST(RegularizedSic, EstimateOfItsSquaredErrorIsUnbiased) {
  constexpr double sigma2 = 0.3;
  Random random(11);
  const Matrix b = random_symmetric(random, 5), c = random_symmetric(random, 5) / 3;
  const Vector mu = random.normal_vector(5);
  Running estimate, error;
  const double target = mu.dot(b * mu) + sigma2 * b.trace() - mu.dot(c * mu);  // so that the bias is μᵀCμ
  for (int draw = 0; draw < 60000; ++draw) {
    const Vector z = mu + std::sqrt(sigma2) * random.normal_vector(5);
    estimate.add(estimated_squared_error(b, c, z, sigma2));
    error.add(std::pow(z.dot(b * z) - target, 2));
  }
  const double truth = std::pow(mu.dot(c * mu), 2) + 2 * sigma2 * sigma2 * b.squaredNorm() +
                       4 * sigma2 * (b * mu).squaredNorm();
  EXPECT_LT(estimate.z(truth), 3) << estimate.mean() << " against " << truth;
  EXPECT_LT(error.z(truth), 3) << error.mean() << " against " << truth;
}

TEST(RegularizedSic, DiagonalFormsAreTheMatrixForms) {
  Random random(12);
  const Vector b = random.normal_vector(6), c = random.normal_vector(6), z = random.normal_vector(6);
  const double wanted = estimated_squared_error(Matrix(b.asDiagonal()), Matrix(c.asDiagonal()), z, 0.4);
  EXPECT_NEAR(estimated_squared_error(b, c, z.cwiseAbs2(), 0.4), wanted, 1e-12 * std::abs(wanted));
}

/// A kernel with its inverse in reach, and rsic with everything written out as dense matrices.
struct Dense {
  Matrix x, k, points;
  Vector y, omega;
  double sigma2 = 0.2, pilot = 0.3;
  Kernel kernel = parse_kernel("gaussian", 0.4);

  Dense() {
    Random random(3);
    x = random.uniform_vector(14, -3, 3);
    y = x.col(0).array().sin().matrix() + 0.5 * random.normal_vector(14);
    points = random.uniform_vector(9, -3, 3);
    omega = random.uniform_vector(9, 0.1, 1);
    omega /= omega.sum();
    k = gram(kernel, x);
  }
  Metric metric(Metric::Kind kind) const { return {kind, {points, omega}, ""}; }
  Matrix u(Metric::Kind kind) const {
    if (kind == Metric::Kind::function_space) return k;
    if (kind == Metric::Kind::train) return k * k / 14;
    const Matrix at = cross_gram(kernel, points, x);
    return at.transpose() * omega.asDiagonal() * at;
  }
  Matrix ridge(double lambda) const {
    return (k + lambda * Matrix::Identity(14, 14)).llt().solve(Matrix::Identity(14, 14));
  }
  /// The symmetric matrix of a criterion that compares the gains X with R, and the bias that R brings.
  Matrix b(Metric::Kind kind, const Matrix& gain, const Matrix& r) const {
    const Matrix cross = gain * u(kind) * r;
    return gain * u(kind) * gain - cross - cross.transpose();
  }
  Matrix c(Metric::Kind kind, const Matrix& gain, const Matrix& r) const {
    const Matrix cross = gain * u(kind) * (ridge(0) - r);
    return cross + cross.transpose();
  }
  double value(Metric::Kind kind, double lambda, double gamma) const {
    const Matrix gain = ridge(lambda), r = ridge(gamma);
    return y.dot(b(kind, gain, r) * y) + 2 * sigma2 * (gain * u(kind) * r).trace();
  }
  double squared_error(Metric::Kind kind, double gamma) const {
    const Matrix gain = ridge(pilot), r = ridge(gamma);
    return estimated_squared_error(b(kind, gain, r), c(kind, gain, r), y, sigma2);
  }
  Smoother smoother() const {
    return Smoother(
        x, y, Vector(),
        {.representation = kernel, .filter = tikhonov, .intercept = false, .strategy = Strategy::full});
  }
};

TEST(RegularizedSic, IsItsFormulaAtTheDegreeWithTheLeastError) {
  const Dense dense;
  const Smoother smoother = dense.smoother();
  const std::vector<double> lambdas{1e-2, 0.3, 5};
  for (const auto kind : {Metric::Kind::function_space, Metric::Kind::train, Metric::Kind::points}) {
    const CriterionCurve curve =
        Judge{smoother, lambdas, Judge::known(dense.sigma2), dense.metric(kind), dense.pilot}.curve(rsic);
    for (Index i = 0; i < 3; ++i) {
      const double wanted = dense.value(kind, lambdas[static_cast<std::size_t>(i)], curve.gamma);
      EXPECT_NEAR(curve.value[i], wanted, 1e-7 * std::abs(wanted)) << static_cast<int>(kind);
    }
    const double least = dense.squared_error(kind, curve.gamma);
    for (const double gamma : reference_degrees(smoother.spectrum().top()))
      EXPECT_GE(dense.squared_error(kind, gamma), least - 1e-7 * std::abs(least)) << gamma;
  }
}

TEST(RegularizedSic, IsSicWhereItsDegreeIsZero) {
  const Dense dense;
  const Smoother smoother = dense.smoother();
  // Without noise any regularization only adds a bias.
  for (const auto kind : {Metric::Kind::function_space, Metric::Kind::train, Metric::Kind::points}) {
    const Judge judge{smoother, {1e-2, 0.3, 5}, Judge::known(0), dense.metric(kind), dense.pilot};
    const CriterionCurve regularized = judge.curve(rsic);
    const Vector plain = judge.curve(sic).value;
    EXPECT_EQ(regularized.gamma, 0);
    for (Index i = 0; i < 3; ++i)
      EXPECT_NEAR(regularized.value[i], plain[i], 1e-11 * std::abs(plain[i])) << static_cast<int>(kind);
  }
}

TEST(RegularizedSic, ScalesWithTheTargetsAndKeepsItsDegree) {
  Dense dense;
  const Smoother one = dense.smoother();
  dense.y *= 8;
  const Smoother two = dense.smoother();
  const auto curve = [&](const Smoother& smoother, double sigma2) {
    return Judge{smoother, {0.1, 1}, Judge::known(sigma2), dense.metric(Metric::Kind::train)}.curve(rsic);
  };
  const CriterionCurve a = curve(one, dense.sigma2), b = curve(two, 64 * dense.sigma2);
  EXPECT_EQ(a.gamma, b.gamma);
  EXPECT_LT((64 * a.value - b.value).norm(), 1e-9 * b.value.norm());
}

/// Squared bias and variance of a fixed linear fit, against their estimates.
TEST(BiasAndVariance, SquaredBiasIsUnbiasedAndTheVarianceExact) {
  Dense dense;
  const Vector f = dense.x.col(0).array().sin();
  const std::vector<double> lambdas{0.1, 2};
  for (const auto kind : {Metric::Kind::function_space, Metric::Kind::train}) {
    std::vector<Running> bias(2);
    Vector variance;
    Random random(21);
    for (int draw = 0; draw < 4000; ++draw) {
      dense.y = f + std::sqrt(dense.sigma2) * random.normal_vector(14);
      const Smoother smoother = dense.smoother();
      const CriterionCurve curve =
          Judge{smoother, lambdas, Judge::known(dense.sigma2), dense.metric(kind)}.curve(sic);
      ASSERT_EQ(curve.variance.size(), 2);
      EXPECT_FALSE(curve.bias_less_constant);
      variance = curve.variance;
      for (std::size_t k = 0; k < 2; ++k) bias[k].add(curve.squared_bias[static_cast<Index>(k)]);
    }
    for (std::size_t k = 0; k < 2; ++k) {
      const Matrix gain = dense.ridge(lambdas[k]), u = dense.u(kind);
      const Vector off = gain * f - dense.ridge(0) * f;
      EXPECT_LT(bias[k].z(off.dot(u * off)), 3) << static_cast<int>(kind) << " " << lambdas[k];
      const double spread = dense.sigma2 * (gain * u * gain).trace();
      EXPECT_NEAR(variance[static_cast<Index>(k)], spread, 1e-9 * spread);
    }
  }
}

TEST(BiasAndVariance, TheirSumIsSicUpToTheNormOfTheTarget) {
  const Dense dense;
  const Smoother smoother = dense.smoother();
  const CriterionCurve curve =
      Judge{smoother, {0.1, 1, 10}, Judge::known(dense.sigma2), dense.metric(Metric::Kind::points)}.curve(
          sic);
  EXPECT_TRUE(curve.bias_less_constant);
  EXPECT_LT((curve.squared_bias + curve.variance - curve.value).norm(), 1e-12 * curve.value.norm());
  const CriterionCurve other =
      Judge{smoother, {0.1}, Judge::known(dense.sigma2), dense.metric(Metric::Kind::train)}.curve(rsic);
  EXPECT_EQ(other.variance.size(), 0);  // its bias is not that of the fit
}

}  // namespace
}  // namespace gnomon::regularized_sic_test
