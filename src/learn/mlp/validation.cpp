#include "validation.hpp"

#include <algorithm>

#include "curvature.hpp"
#include "gauss_newton_inverse.hpp"

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

}  // namespace gnomon
