#pragma once

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Kernel mean matching (Huang et al., NIPS 19 (2007)) with a ridge towards equal weights. With K the Gaussian
/// Gram matrix of the n training inputs and κ_i = (n/m) Σ_j k(x_i, z_j) over the m test inputs,
///   minimise ½ βᵀKβ − κᵀβ + (λ/2) ‖β − 1‖²  over  0 ≤ β ≤ bound,  Σβ = n.
/// λ = 0 is the classical problem, whose weights exist at the training inputs only. With λ > 0 the optimality
/// conditions give them everywhere, and at() agrees with β at the training inputs:
///   β(x) = clip(1 + (κ(x) − Σ_i β_i k(x, x_i) − τ)/λ, 0, bound),   τ the multiplier of the sum.
struct KmmFit {
  Matrix train, test;
  double width = 1, lambda = 0, bound = 0;
  Vector beta;
  double multiplier = 0;  ///< τ
  double gap =
      undefined;  ///< bound on what the objective can still fall: ⟨g, β⟩ − min ⟨g, v⟩ over feasible v
  double scale = undefined;  ///< size of the objective's terms, which the gap is to be compared with
  int iterations = 0;
  bool converged = false;

  Vector at(const MatrixView& x) const;
};

/// Interior point method: one n×n Cholesky factorisation per iteration, 10 to 20 iterations.
KmmFit kmm_fit(const MatrixView& train, const MatrixView& test, double width, double lambda,
               double bound = 1000);

}  // namespace gnomon
