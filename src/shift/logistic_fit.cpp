#include <algorithm>
#include <cmath>

#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"
#include "logistic_ratio.hpp"

namespace gnomon {
namespace {

constexpr int kLogisticIterations = 100;
constexpr double kLogisticTolerance = 1e-10;

/// log(1 + e^η) without overflow.
double softplus(double eta) { return std::max(eta, 0.0) + std::log1p(std::exp(-std::abs(eta))); }
double sigmoid(double eta) {
  const double e = std::exp(-std::abs(eta));
  return (eta >= 0 ? 1 : e) / (1 + e);
}

double objective(const VectorView& eta, const VectorView& is_test, const Vector& coefficients,
                 double lambda) {
  return log_loss(eta, is_test) * static_cast<double>(eta.size()) + 0.5 * lambda * coefficients.squaredNorm();
}

}  // namespace

double log_loss(const VectorView& predictor, const VectorView& is_test) {
  double sum = 0;
  for (Index i = 0; i < predictor.size(); ++i) sum += softplus(predictor[i]) - is_test[i] * predictor[i];
  return sum / static_cast<double>(predictor.size());
}

Vector LogisticFit::predictor(const MatrixView& features) const {
  Vector eta = Vector::Constant(features.rows(), intercept);
  for (Index j = 0; j < features.cols(); ++j) eta += coefficients[j] * features.col(j);
  return eta;
}

Matrix logistic_terms(const MatrixView& x, bool quadratic) {
  if (!quadratic) return x;
  const Index d = x.cols();
  Matrix terms(x.rows(), d + d * (d + 1) / 2);
  terms.leftCols(d) = x;
  for (Index j = 0, column = d; j < d; ++j)
    for (Index k = j; k < d; ++k) terms.col(column++) = x.col(j).cwiseProduct(x.col(k));
  return terms;
}

LogisticFit logistic_fit(const MatrixView& features, const VectorView& is_test, double lambda,
                         const LogisticFit* start) {
  const Index n = features.rows(), p = features.cols();
  require(is_test.size() == n, "{} labels for {} rows: give one for each", is_test.size(), n);
  require(is_test.minCoeff() < is_test.maxCoeff(), "logistic discrimination needs rows of both samples");
  require(std::isfinite(lambda) && lambda > 0, "the penalty lambda is {}: it must be positive and finite",
          lambda);
  Matrix design(n, p + 1);
  design << Vector::Ones(n), features;
  LogisticFit fit;
  const double share = is_test.mean();
  fit.intercept = start ? start->intercept : std::log(share / (1 - share));
  fit.coefficients = start ? start->coefficients : Vector::Zero(p);
  Vector eta = fit.predictor(features);
  double value = objective(eta, is_test, fit.coefficients, lambda);
  for (;; ++fit.iterations) {
    const Vector probability = eta.unaryExpr(&sigmoid);
    Vector gradient = lapack::product(design, true, probability - is_test, false).col(0);
    gradient.tail(p) += lambda * fit.coefficients;
    fit.gradient = gradient.cwiseAbs().maxCoeff() / static_cast<double>(n);
    fit.converged = fit.gradient <= kLogisticTolerance;
    if (fit.converged || fit.iterations >= kLogisticIterations) return fit;
    const Matrix scaled =
        (probability.array() * (1 - probability.array())).sqrt().matrix().asDiagonal() * design;
    Matrix hessian = Matrix::Zero(p + 1, p + 1), step = gradient;
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, static_cast<int>(p + 1), static_cast<int>(n), 1,
                scaled.data(), static_cast<int>(n), 0, hessian.data(), static_cast<int>(p + 1));
    hessian.diagonal().tail(p).array() += lambda;
    hessian(0, 0) +=
        1e-12 * static_cast<double>(n);  // saturated probabilities leave the intercept no curvature
    if (!lapack::solve_positive_definite(hessian, step)) return fit;
    bool moved = false;
    for (double length = 1; length > 1e-10 && !moved; length /= 2) {
      LogisticFit next = fit;
      next.intercept -= length * step(0, 0);
      next.coefficients -= length * step.col(0).tail(p);
      const Vector next_eta = next.predictor(features);
      const double next_value = objective(next_eta, is_test, next.coefficients, lambda);
      // Close to the minimum the objective cannot tell steps apart; there the full Newton step is right.
      moved = next_value <= value + 1e-14 * std::abs(value);
      if (moved) fit = next, eta = next_eta, value = next_value;
    }
    if (!moved) return fit;
  }
}

}  // namespace gnomon
