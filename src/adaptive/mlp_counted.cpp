#include "gnomon/adaptive/mlp_tunable.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::adaptive {

// With A = J⁻¹, J = H + 2D:  d tr(HA) = ⟨A − AHA, dH⟩ − 2κ_g⟨AHA, P_g⟩,
//                            d tr(HAHA) = 2⟨AHA − AHAHA, dH⟩ − 4κ_g⟨AHAHA, P_g⟩,  dH along dŵ/dlog κ_g.
CountedError counted_error(const MlpCost& cost, const VectorView& w, bool gradient) {
  const MlpCurvature curvature(cost, w, MlpHessian::gauss_newton);
  require(curvature.regular(), "effective numbers of parameters: {}", curvature.trouble());
  const Matrix share = curvature.solve(curvature.h());  // AH
  CountedError c;
  c.samples = static_cast<double>(cost.rows());
  c.observations = c.samples * static_cast<double>(cost.shape().outputs);
  c.weights = static_cast<double>(cost.weights());
  Vector slope;
  c.training_error = cost.error_and_gradient(w, slope);
  c.m1 = share.trace();
  c.m2 = share.cwiseProduct(share.transpose()).sum();
  c.left = c.observations - c.m1;
  c.left_squared = c.observations - 2 * c.m1 + c.m2;
  if (!gradient) return c;
  const MlpCurvature exact(cost, w, MlpHessian::exact);
  require(exact.positive_definite(), "the gradient of an effective number of parameters: {}",
          exact.trouble());
  const Matrix along = mlp_weights_along_log_kappa(cost, w, exact);
  const Matrix a = curvature.inverse(), aha = share * a, ahaha = share * aha;
  const Matrix moved =
      cost.hessian_contracted_along(w, {a - aha, Matrix(2 * (aha - ahaha))}, along, MlpHessian::gauss_newton);
  c.d_training_error = along.transpose() * slope;
  c.d_m1 = moved.col(0), c.d_m2 = moved.col(1);
  const MlpDecay& decay = cost.decay();
  for (Index g = 0; g < decay.groups(); ++g) {
    c.d_m1[g] -= 2 * decay.kappa[g] * decay.restricted(aha.diagonal(), g).sum();
    c.d_m2[g] -= 4 * decay.kappa[g] * decay.restricted(ahaha.diagonal(), g).sum();
  }
  c.d_left_squared = c.d_m2 - 2 * c.d_m1;
  return c;
}

}  // namespace gnomon::adaptive
