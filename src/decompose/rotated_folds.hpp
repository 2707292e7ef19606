#pragma once

#include <span>
#include <vector>

#include "gnomon/core/progress.hpp"
#include "gnomon/core/types.hpp"

namespace gnomon {

/// A = Q B Qᵀ and b = norm · Q e₁ of all rows in weighted coordinates, B a symmetric band matrix in lower band storage (tridiagonal where it
/// has two rows), both kept elsewhere. Q may have more rows than columns.
struct RotatedRows {
  const Matrix* q = nullptr;
  const Matrix* band = nullptr;
  double norm = 0;
  double least_lambda = 0;  ///< at or below it λ is beneath the rounding error of A
};

struct RotatedResiduals {
  /// Rows × λ. Columns of λ that are too small, or whose block is singular to working precision, are NaN.
  Matrix residual;
  /// Largest estimated relative error of a fold's sum of squares; 0 where nothing was iterated.
  double error_estimate = 0;
};

/// Residuals √w (y − f) of every row by the ridge fit without the row's fold:
///
///   S e_f = c,   S = [λ(A + λI)⁻¹]_ff,   c = [λ(A + λI)⁻¹ b]_f.
///
/// At some λ, the anchors, S is factored, from the rows Q_f of a fold and B + λI = L D Lᵀ alone: S = W Wᵀ with W = √λ Q_f L⁻ᵀ D^−½, two
/// operations for every entry of Q and diagonal of B and one symmetric product; n³/K flops.
///
/// Between two anchors μ < ν conjugate gradients solve for e_f, with the preconditioner M = (1 − t) S_μ⁻¹ + t S_ν⁻¹, t the share at which
/// 1/λ lies between 1/μ and 1/ν. In u = 1/λ, S⁻¹ is a constant, a multiple of u and a mixture of u/(u + s), s > 0, with positive
/// semidefinite weights (S⁻¹ is an operator monotone function of u), and a chord of u/(u + s) over [1/ν, 1/μ] lies at most by the factor
/// κ = (1 + r)²/(4r), r² = ν/μ, below it: M ≤ S⁻¹ ≤ κM, however ill-conditioned S is. With a hundred times from anchor to anchor κ = 3, and
/// a few steps of 4n² flops each suffice; many λ take them together, as matrix products. They end when κ times the correction M(c − S e) says that
/// the sum of squares of the fold is right to `tolerance`; a λ that does not get there is factored too. `tolerance` 0 factors all.
/// Memory 2n²/K for every thread, and B once for every λ.
RotatedResiduals rotated_fold_residuals(const RotatedRows& rows,
                                        const std::vector<std::vector<Index>>& rows_by_fold,
                                        std::span<const double> lambdas, double tolerance,
                                        const Progress& progress);

}  // namespace gnomon
