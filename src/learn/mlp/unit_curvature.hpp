#pragma once

#include "cost.hpp"
#include "pass.hpp"

namespace gnomon::mlp {

/// Second derivatives of the loss of every row in the pre-activations, for layers l ≤ m:
///   Q_lm[j,j'] = ∂²ℓ/∂a_l,j ∂a_m,j'  in column j + j'·units(l),
/// from Q_top = ∂²ℓ/∂f² downwards by
///   Q_lm = diag(φ'_l) W_{l+1} Q_{l+1,m} (l < m),   Q_ll = Q_{l,l+1} W_{l+1}ᵀ diag(φ'_l) + diag(φ''_l∘back_l),
/// without the last term for Gauss–Newton; and the sensitivities above a layer,
///   T_lm[i,j] = ∂(input i of layer m)/∂a_l,j  in column i + j·units_below(m), m > l + 1.
/// Derivatives along a direction lie in the same fields of a second object; an empty matrix is zero.
class UnitCurvature {
 public:
  UnitCurvature(const MlpShape& shape, const Pass& pass, const double* w, MlpHessian kind);
  /// The derivative of `value` along v, `d` being that of `pass`.
  UnitCurvature(const MlpShape& shape, const Pass& pass, const Pass& d, const UnitCurvature& value,
                const double* w, const double* v, MlpHessian kind);

  const Matrix& q(Index l, Index m) const { return q_[at(l, m)]; }
  const Matrix& t(Index l, Index m) const { return t_[at(l, m)]; }

 private:
  std::size_t at(Index l, Index m) const { return std::size_t(l * layers_ + m); }
  Index layers_;
  std::vector<Matrix> q_, t_;
};

}  // namespace gnomon::mlp
