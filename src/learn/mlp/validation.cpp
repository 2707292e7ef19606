#include "gnomon/learn/mlp_validation.hpp"

#include <lapacke.h>

#include <algorithm>
#include <cmath>

#include "gauss_newton_inverse.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/learn/mlp_curvature.hpp"

namespace gnomon {
namespace {

/// J⁻¹b by conjugate gradients on exact products, preconditioned by a Gauss–Newton inverse; nothing at negative
/// curvature or without convergence.
std::optional<Vector> conjugate_gradients(const MlpCost& cost, const VectorView& w, const Vector& b) {
  const MlpTangents tangents(cost, w);
  const mlp::GaussNewtonInverse inverse(cost, w);
  Vector x = Vector::Zero(b.size()), residual = b, solved = inverse(b), direction = solved;
  double rz = residual.dot(solved);
  const double stop = 1e-24 * b.squaredNorm();
  for (Index k = 0; k < std::min<Index>(10 * b.size(), 20000) && residual.squaredNorm() > stop; ++k) {
    const Vector product = tangents.hessian_vector(direction);
    const double curvature = direction.dot(product);
    if (!(curvature > 0)) return std::nullopt;
    const double alpha = rz / curvature;
    x += alpha * direction;
    residual -= alpha * product;
    solved = inverse(residual);
    const double next = residual.dot(solved);
    direction = solved + (next / rz) * direction;
    rz = next;
  }
  if (residual.squaredNorm() > 1e4 * stop) return std::nullopt;
  return x;
}

}  // namespace

MlpValidation mlp_validation(const MlpCost& training, const VectorView& w, const MlpCost& held_out,
                             Index dense_limit) {
  MlpValidation out;
  Vector gradient;
  out.value = held_out.error_and_gradient(w, gradient);
  Vector adjoint;
  if (training.weights() <= dense_limit) {
    const MlpCurvature exact(training, w, MlpHessian::exact);
    out.status = exact.trouble();
    if (!exact.positive_definite()) return out;
    adjoint = exact.solve(gradient);
  } else {
    const auto solved = conjugate_gradients(training, w, gradient);
    if (!solved) {
      out.status =
          "the Hessian of the cost could not be inverted by conjugate gradients: not at a minimum, or nearly "
          "singular";
      return out;
    }
    adjoint = *solved;
  }
  const MlpDecay& decay = training.decay();
  out.gradient.resize(decay.groups());
  for (Index g = 0; g < decay.groups(); ++g)
    out.gradient[g] = -2 * decay.kappa[g] * decay.restricted(w, g).dot(adjoint);
  return out;
}

MlpCrossValidation mlp_cross_validation(const MlpCost& cost, const std::vector<std::vector<Index>>& folds,
                                        const VectorView& start, const MlpTrainOptions& options) {
  require(folds.size() > 1, "cross-validation of a network needs at least 2 folds, not {}", folds.size());
  MlpCrossValidation out;
  double sum = 0;
  Vector gradient = Vector::Zero(cost.decay().groups());
  bool differentiable = true;
  for (const auto& fold : folds) {
    std::vector<bool> held(std::size_t(cost.rows()), false);
    for (const Index k : fold) {
      require(k >= 0 && k < cost.rows(), "a fold names row {}; the data have {}", k, cost.rows());
      held[std::size_t(k)] = true;
    }
    std::vector<Index> kept;
    for (Index k = 0; k < cost.rows(); ++k)
      if (!held[std::size_t(k)]) kept.push_back(k);
    const MlpCost training = cost.on_rows(kept);
    MlpFit fit = start.size() ? mlp_train_from(training, start, options) : mlp_train(training, options);
    const MlpValidation one = mlp_validation(training, fit.model.w, cost.on_rows(fold), options.dense_limit);
    sum += *one.value;
    if (!fit.converged() && out.status.empty()) out.status = "a fold's training: " + fit.status;
    if (!one.status.empty() && out.status.empty()) out.status = "a fold: " + one.status;
    differentiable = differentiable && one.gradient.size() > 0;
    if (differentiable) gradient += one.gradient;
    out.fits.push_back(std::move(fit));
  }
  const double count = static_cast<double>(folds.size());
  out.value = sum / count;
  if (differentiable) out.gradient = gradient / count;
  return out;
}

std::optional<double> mlp_approximate_loo(const MlpCost& cost, const VectorView& w) {
  const Index p = cost.weights();
  const double n = static_cast<double>(cost.rows());
  require(cost.rows() > 1, "leave-one-out needs at least 2 rows");
  const Matrix h = cost.error_hessian(w, MlpHessian::exact), scores = cost.scores(w);
  const Vector penalty = cost.penalty_gradient(w);
  double sum = 0;
  std::vector<int> pivots(std::size_t(p), 0);
  for (Index k = 0; k < cost.rows(); ++k) {
    const MlpCost one = cost.on_rows({k});
    Matrix reduced = (n * h - one.error_hessian(w, MlpHessian::exact)) / (n - 1);
    cost.add_penalty(reduced);
    Vector step = (penalty + scores.row(k).transpose()) / (n - 1);
    if (LAPACKE_dsysv(LAPACK_COL_MAJOR, 'L', static_cast<int>(p), 1, reduced.data(), static_cast<int>(p),
                      pivots.data(), step.data(), static_cast<int>(p)) != 0)
      return std::nullopt;
    sum += one.error(w + step);
  }
  if (!std::isfinite(sum)) return std::nullopt;
  return sum / n;
}

}  // namespace gnomon
