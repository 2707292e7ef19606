#include <algorithm>
#include <cmath>
#include <optional>

#include "core/listening.hpp"
#include "curvature.hpp"
#include "decompose/lapack.hpp"
#include "descent.hpp"

namespace gnomon::mlp {
namespace {

/// −(J + μI)⁻¹g, if J + μI is positive definite.
std::optional<Vector> damped_step(const Matrix& j, double mu, const Vector& g) {
  Matrix factor = j;
  factor.diagonal().array() += mu;
  const int p = static_cast<int>(g.size());
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', p, factor.data(), p) != 0) return std::nullopt;
  Vector step = -g;
  LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', p, 1, factor.data(), p, step.data(), p);
  if (!step.allFinite()) return std::nullopt;
  return step;
}

double quadratic_form(const Matrix& j, const Vector& s) { return s.dot(lapack::symmetric_times(j, s)); }

Matrix cost_hessian(const MlpCost& cost, const Vector& w, MlpHessian kind) {
  Matrix j = cost.error_hessian(w, kind);
  cost.add_penalty(j);
  return j;
}

/// Newton steps past the certificate as long as they at least halve the gradient: free digits for what is
/// differentiated through the minimum.
void polish(const MlpCost& cost, Iterate& at) {
  for (int k = 0; k < 3; ++k) {
    const auto step = damped_step(cost_hessian(cost, at.w, MlpHessian::exact), 0, at.gradient);
    if (!step) return;
    Iterate next = iterate_at(cost, at.w + *step);
    if (!(next.norm() < 0.5 * at.norm()) || next.cost > at.cost + 1e-12 * std::abs(at.cost)) return;
    next.iterations = at.iterations + 1;
    at = std::move(next);
  }
}

}  // namespace

Iterate iterate_at(const MlpCost& cost, Vector w) {
  stop_if_asked();
  Iterate at;
  at.w = std::move(w);
  at.cost = cost.cost_and_gradient(at.w, at.gradient);
  return at;
}

void descend_dense(const MlpCost& cost, const MlpTrainOptions& options, Iterate& at) {
  if (at.w.size() > 100) descend_factored(cost, options, at);
  double mu = -1;
  // Gauss–Newton far away; once it slows down the exact Hessian, shifted until it is positive definite where the
  // surface curves down, so that a step follows negative curvature instead of creeping beside it.
  MlpHessian kind = MlpHessian::gauss_newton;
  while (!at.certified(options.tolerance) && at.iterations < options.max_iterations && !at.unbounded()) {
    const Matrix j = cost_hessian(cost, at.w, kind);
    const double scale = std::max(j.diagonal().cwiseAbs().maxCoeff(), 1e-300);
    if (mu < 0) mu = 1e-2 * scale;
    bool moved = false, indefinite = false;
    while (!moved && mu <= 1e12 * scale) {
      const auto step = damped_step(j, mu, at.gradient);
      if (!step) {
        indefinite = true;
        mu = std::max(2.5 * mu, 1e-6 * scale);
        continue;
      }
      const double predicted = -(at.gradient.dot(*step) + 0.5 * quadratic_form(j, *step));
      Iterate next = iterate_at(cost, at.w + *step);
      const double actual = at.cost - next.cost;
      // Below the rounding of C the gradient decides.
      const bool in_the_noise = predicted <= 1e-12 * std::max(std::abs(at.cost), 1e-300);
      const double ratio = in_the_noise ? (next.norm() < at.norm() ? 1.0 : -1.0) : actual / predicted;
      if (!std::isfinite(next.cost) || !(ratio > 1e-4)) {
        mu = std::max(5 * mu, 1e-10 * scale);
        continue;
      }
      if (actual < 0.1 * std::abs(at.cost)) kind = MlpHessian::exact;
      next.iterations = at.iterations;
      at = std::move(next);
      moved = true;
      if (ratio > 0.75) mu = mu < 1e-14 * scale ? 0 : mu / (indefinite ? 2 : ratio > 0.9 ? 10 : 4);
      if (ratio < 0.25) mu = std::max(3 * mu, 1e-8 * scale);
    }
    ++at.iterations;
    if (!moved) break;
  }
  if (at.certified(options.tolerance)) polish(cost, at);
}

LeastCurvature least_curvature_dense(const MlpCost& cost, const Vector& w) {
  Matrix j = cost_hessian(cost, w, MlpHessian::exact);
  LeastCurvature out;
  out.scale = j.cwiseAbs().colwise().sum().maxCoeff();
  for (const Index i : mlp_idle_weights(cost, j)) j.row(i).setZero(), j.col(i).setZero(), j(i, i) = out.scale;
  const int p = static_cast<int>(w.size());
  Matrix factor = j;
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', p, factor.data(), p) == 0) {
    double reciprocal = 0;
    LAPACKE_dpocon(LAPACK_COL_MAJOR, 'L', p, factor.data(), p, out.scale, &reciprocal);
    out.value = reciprocal * out.scale;
    out.positive_definite = reciprocal > 1e-14;
    if (out.positive_definite) return out;
  }
  Vector values(p);
  out.direction.resize(p);
  int found = 0;
  std::vector<int> support(2);
  LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'I', 'L', p, j.data(), p, 0, 0, 1, 1, 0, &found, values.data(),
                 out.direction.data(), p, support.data());
  out.value = values[0];
  return out;
}

}  // namespace gnomon::mlp
