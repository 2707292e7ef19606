// The evidence of classifiers: what softmax does not see is no parameter.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "gnomon/core/random.hpp"
#include "gnomon/learn/mlp_train.hpp"
#include "gnomon/learn/mlp_tunable.hpp"
#include "learn/mlp/estimates.hpp"
#include "reference/by_name.hpp"

namespace gnomon::mlp_evidence_test {
namespace {

struct Classes {
  Matrix x, y;
};

Classes overlapping(Index rows, Index inputs, Index classes, std::uint64_t seed) {
  Random random(seed);
  Classes out{Matrix(rows, inputs), Matrix::Zero(rows, classes)};
  for (auto& v : out.x.reshaped()) v = random.normal();
  for (Index i = 0; i < rows; ++i) {
    const double score = 1.3 * out.x(i, 0) - 0.6 * out.x(i, inputs - 1) + 1.2 * random.normal();
    out.y(i, score < -0.5 ? 0 : score < 0.8 || classes == 2 ? 1 : 2) = 1;
  }
  return out;
}

/// Places of the output biases.
std::vector<Index> output_biases(const MlpShape& shape) {
  std::vector<Index> places;
  const Index top = shape.layers() - 1;
  for (Index o = 0; o < shape.outputs; ++o)
    places.push_back(shape.offset(top) + (o + 1) * shape.fan_in(top) - 1);
  return places;
}

/// −log ∫ exp(−N S − Σα_g|w_g|²) Π(α_g/π)^(m_g/2) by Laplace's method over {w : output biases sum to 0}. The Hessian is
/// differences of the gradient along an orthonormal basis of that subspace; nothing of the library's curvature is used.
double laplace_without_gauge(const MlpCost& cost, const Vector& w) {
  const double rows = static_cast<double>(cost.rows()), step = 1e-4;
  const Index p = cost.weights();
  Matrix spanning(p, p);
  spanning.setIdentity();
  const auto biases = output_biases(cost.shape());
  Vector together = Vector::Zero(p);
  for (const Index i : biases) together[i] = 1;
  // Gram–Schmidt with the gauge first.
  Matrix basis(p, 0);
  std::vector<Vector> found{together.normalized()};
  for (Index i = 0; i < p && static_cast<Index>(found.size()) < p; ++i) {
    Vector v = spanning.col(i);
    for (int twice = 0; twice < 2; ++twice)
      for (const Vector& q : found) v -= q.dot(v) * q;
    if (v.norm() > 1e-8) found.push_back(v.normalized());
  }
  basis.resize(p, p - 1);
  for (Index i = 0; i + 1 < p; ++i) basis.col(i) = found[static_cast<std::size_t>(i + 1)];
  Matrix hessian(p - 1, p - 1);
  for (Index i = 0; i + 1 < p; ++i) {
    const auto slope = [&](double t) {
      Vector g;
      cost.cost_and_gradient(w + t * basis.col(i), g);
      return Vector(rows * (basis.transpose() * g));
    };
    hessian.col(i) = (8 * (slope(step) - slope(-step)) - (slope(2 * step) - slope(-2 * step))) / (12 * step);
  }
  const Eigen::LLT<Matrix> factor(0.5 * (hessian + hessian.transpose()));
  double value = rows * cost.cost(w) + Matrix(factor.matrixL()).diagonal().array().log().sum() -
                 0.5 * static_cast<double>(p - 1) * std::log(2 * M_PI);
  for (Index g = 0; g < cost.decay().groups(); ++g)
    value -=
        0.5 * static_cast<double>(cost.decay().size_of(g)) * std::log(cost.decay().kappa[g] * rows / M_PI);
  return value;
}

TEST(MlpEvidence, OfSoftmaxIsLaplaceWithoutTheGauge) {
  for (const Index classes : {2, 3}) {
    const Classes d = overlapping(60, 2, classes, 5);
    const MlpShape shape{2, {3}, classes, true};
    const MlpCost cost(shape, MlpLoss::cross_entropy, d.x, d.y, decay_per_layer(shape, 0.02, false));
    const MlpFit fit = mlp_train(cost);
    ASSERT_EQ(fit.outcome, MlpOutcome::minimum) << fit.status;
    EXPECT_NEAR(mlp_evidence(MlpEstimates(cost, fit.model.w), {}, false).value.value(),
                laplace_without_gauge(cost, fit.model.w), 1e-6);
  }
}

/// −log evidence of logistic regression on one output: prior exp(−a|v|²)(a/π)^(d/2) on the slopes, flat with
/// density 1 on the intercept.
double logistic_evidence(const Matrix& x, const Vector& first, double a) {
  const Index n = x.rows(), d = x.cols();
  Matrix design(n, d + 1);
  design << x, Vector::Ones(n);
  Vector v = Vector::Zero(d + 1), precision = Vector::Constant(d + 1, 2 * a);
  precision[d] = 0;
  Matrix hessian;
  for (int i = 0; i < 50; ++i) {
    const Vector q = (1 + (-(design * v).array()).exp()).inverse();
    hessian = design.transpose() * (q.array() * (1 - q.array())).matrix().asDiagonal() * design;
    hessian.diagonal() += precision;
    v -= hessian.llt().solve(design.transpose() * (q - first) + precision.cwiseProduct(v));
  }
  const Vector f = design * v;
  const double loss = (f.array().exp() + 1).log().sum() - first.dot(f);
  const Eigen::LLT<Matrix> factor(hessian);
  return loss + a * v.head(d).squaredNorm() - 0.5 * static_cast<double>(d) * std::log(a / M_PI) +
         Matrix(factor.matrixL()).diagonal().array().log().sum() -
         0.5 * static_cast<double>(d + 1) * std::log(2 * M_PI);
}

// With slopes w₁, w₂ the logit has v = w₁ − w₂ and α(|w₁|² + |w₂|²) = (α/2)(|v|² + |w₁ + w₂|²), whose second part integrates
// to 1. The biases are flat in (b₁ − b₂)/√2, a density of 1/√2 in the intercept b₁ − b₂ of the logit.
TEST(MlpEvidence, OfTwoClassesIsThatOfLogisticRegression) {
  const Classes d = overlapping(50, 3, 2, 9);
  const MlpShape shape{3, {}, 2, true};
  for (const double kappa : {1e-3, 0.05, 1.0}) {
    const MlpCost cost(shape, MlpLoss::cross_entropy, d.x, d.y, decay_per_layer(shape, kappa, false));
    const MlpFit fit = mlp_train(cost);
    ASSERT_EQ(fit.outcome, MlpOutcome::minimum) << fit.status;
    const double alpha = kappa * 50;
    for (const auto kind : {MlpHessian::exact, MlpHessian::gauss_newton})
      EXPECT_NEAR(mlp_evidence(MlpEstimates(cost, fit.model.w, kind), {}, false).value.value(),
                  logistic_evidence(d.x, d.y.col(0), alpha / 2) + 0.5 * std::log(2), 1e-8);
  }
}

TEST(MlpEvidence, PenalisedOutputBiasesAreAllParameters) {
  const Classes d = overlapping(50, 2, 3, 4);
  const MlpShape shape{2, {2}, 3, true};
  const MlpCost decayed(shape, MlpLoss::cross_entropy, d.x, d.y, common_decay(shape, 0.03));
  EXPECT_EQ(decayed.gauge().size(), 0);
  const MlpCost free(shape, MlpLoss::cross_entropy, d.x, d.y, decay_per_layer(shape, 0.03, false));
  const Vector w = mlp_train(free).model.w;
  const MlpCurvature curvature(free, w, MlpHessian::gauss_newton);
  EXPECT_EQ(curvature.parameters(), free.weights() - 1);
  EXPECT_EQ(MlpCurvature(decayed, w, MlpHessian::gauss_newton).parameters(), decayed.weights());
}

TEST(MlpEvidence, OfAClassifierIsOneNumberHoweverItIsAskedFor) {
  const Classes d = overlapping(60, 2, 3, 12);
  MlpTunableOptions options;
  options.hidden = {2};
  options.loss = MlpLoss::cross_entropy;
  const MlpTunable network(d.x, d.y, options);
  Vector theta(2);
  theta << std::log(2.0), std::log(0.7);
  const DecayEvidence parts = network.decays(theta.array().exp());
  EXPECT_NEAR(2 * reference::negative_log_evidence(parts, 1).value,
              reference::evaluate(network, {.name = "evidence"}, theta, false).value, 1e-9);
  EXPECT_NEAR(parts.gamma_total, parts.gamma.sum() + parts.unpenalised, 1e-9);
}

}  // namespace
}  // namespace gnomon::mlp_evidence_test
