#pragma once

#include <vector>

#include "cost.hpp"

namespace gnomon::mlp {

/// An approximate inverse Hessian for many weights: M = AᵀA + E with AᵀA the Gauss–Newton Hessian of at most about 2000
/// observations (evenly spaced rows where there are more) and E the decay, averaged over the units of a layer and not
/// below 1e-6 of the mean curvature. By duality
///   M⁻¹ = E⁻¹ − E⁻¹Aᵀ(I + AE⁻¹Aᵀ)⁻¹AE⁻¹,
/// and since a row of A is δ⊗z in every layer, AE⁻¹Aᵀ = Σ_l (Δ_lΔ_lᵀ)∘(Z_l E_l⁻¹ Z_lᵀ): A is never formed.
/// Cost for r observations and u units: 2r²u flops and r³/3, a product as much as a gradient and 2r².
class GaussNewtonInverse {
 public:
  GaussNewtonInverse(const MlpCost& cost, const VectorView& w);

  Vector operator()(const Vector& v) const;

 private:
  /// A v and Aᵀu; u has one column per output.
  Matrix along(const Vector& v) const;
  Vector back(const Matrix& u) const;

  MlpShape shape_;
  std::vector<Matrix> input_;               ///< Z_l
  std::vector<std::vector<Matrix>> delta_;  ///< Δ_l of every output
  Vector decay_;                            ///< E
  Matrix factor_;                           ///< of I + AE⁻¹Aᵀ; empty where it overflows: then E alone
};

}  // namespace gnomon::mlp
