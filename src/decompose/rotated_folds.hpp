#pragma once

#include <span>
#include <vector>

#include "gnomon/core/progress.hpp"
#include "tridiagonal.hpp"

namespace gnomon {

/// A = Q T Qᵀ and b = norm · Q e₁ of all rows in weighted coordinates, kept elsewhere. Q may have more rows than columns.
struct RotatedRows {
  const Matrix* q = nullptr;
  const Tridiagonal* t = nullptr;
  double norm = 0;
  double least_lambda = 0;  ///< at or below it λ is beneath the rounding error of A
};

/// Residuals √w (y − f) of every row by the ridge fit without the row's fold, rows × λ:
///
///   e_f = [(A + λI)⁻¹]_ff⁻¹ [(A + λI)⁻¹ b]_f,
///
/// from the rows Q_f of a fold and T + λI = L D Lᵀ alone: the block is W Wᵀ with W = Q_f L⁻ᵀ D^−½, two operations for every entry
/// of Q and one symmetric product. Columns of λ that are too small, or whose block is singular to working precision, are NaN.
/// n³/K flops per λ at the speed of products; memory n²/K.
Matrix rotated_fold_residuals(const RotatedRows& rows, const std::vector<std::vector<Index>>& rows_by_fold,
                              std::span<const double> lambdas, const Progress& progress);

}  // namespace gnomon
