#include "counted.hpp"

#include "estimates.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon {

// With A = J⁻¹, J = H + 2D:  d tr(HA) = ⟨A − AHA, dH⟩ − 2κ_g⟨AHA, P_g⟩,
//                            d tr(HAHA) = 2⟨AHA − AHAHA, dH⟩ − 4κ_g⟨AHAHA, P_g⟩,  dH along dŵ/dlog κ_g.
Counts network_counts(const MlpCost& cost, const VectorView& w, bool gradient) {
  const MlpCurvature curvature(cost, w, MlpHessian::gauss_newton);
  if (!curvature.regular()) fail("effective numbers of parameters: {}", curvature.trouble());
  const Matrix share = curvature.solve(curvature.h());  // AH
  const double samples = static_cast<double>(cost.rows());
  Counts c;
  c.n = samples * static_cast<double>(cost.shape().outputs);
  Vector slope;
  c.rss = samples * cost.error_and_gradient(w, slope);
  c.df = share.trace();
  c.left = c.n - c.df;
  c.left_squared = c.n - 2 * c.df + share.cwiseProduct(share.transpose()).sum();
  if (!gradient) return c;
  const MlpCurvature exact(cost, w, MlpHessian::exact);
  if (!exact.positive_definite())
    fail("the gradient of an effective number of parameters: {}", exact.trouble());
  const Matrix along = mlp_weights_along_log_kappa(cost, w, exact);
  const Matrix a = curvature.inverse(), aha = share * a, ahaha = share * aha;
  const Matrix moved =
      cost.hessian_contracted_along(w, {a - aha, Matrix(2 * (aha - ahaha))}, along, MlpHessian::gauss_newton);
  Matrix d(cost.decay().groups(), 3);  // rss, m₁, m₂
  d << samples * (along.transpose() * slope), moved;
  const MlpDecay& decay = cost.decay();
  for (Index g = 0; g < decay.groups(); ++g) {
    d(g, 1) -= 2 * decay.kappa[g] * decay.restricted(aha.diagonal(), g).sum();
    d(g, 2) -= 4 * decay.kappa[g] * decay.restricted(ahaha.diagonal(), g).sum();
  }
  d.col(2) -= 2 * d.col(1);  // of n − 2m₁ + m₂
  c.slopes = slopes_from(std::move(d));
  return c;
}

}  // namespace gnomon
