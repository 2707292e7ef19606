#pragma once

#include <functional>
#include <span>

#include "gnomon/core/progress.hpp"
#include "gnomon/core/types.hpp"
#include "gnomon/data/folds.hpp"
#include "gnomon/decompose/fold_errors.hpp"
#include "rotated_folds.hpp"

namespace gnomon {

struct KernelFoldOptions {
  /// Fit an unpenalised constant, on the training rows of each fold.
  bool intercept = false;
  /// Penalise the coefficients, λ Σ α_i²/c_i, with all n centres kept: the operator is K C K in place of K.
  bool squared_gram = false;
  const Vector* centres = nullptr;  ///< c; null = ones
  /// Relative accuracy of Σ w e² around the minimum of the curve, and from one rotation everywhere; from Krylov spaces elsewhere 1e-6
  /// (or this, if larger).
  double tolerance = 1e-8;
  /// Krylov steps before the rest of the path goes to a dense method; 0 = chosen from n, folds and path
  /// length.
  int max_steps = 0;
  /// The rotation of these rows, weights and target, where it has been made; null = it is made where it is needed.
  const RotatedRows* known = nullptr;
};

/// Held-out errors of kernel ridge for all λ and folds: minimise Σ_train w (f + b − y)² + λ‖f‖² on the rows
/// outside the fold. With S = diag(√w) and P projecting out √w (training rows only; P = I without intercept)
///
///   f(·) = k(·, train) S P (P S K S P + λI)⁻¹ P S y,     b = weighted training mean of y − f.
///
/// One Krylov space per fold serves every λ (shift invariance), all folds share each product with K, and the
/// held-out rows of that product are the predictions of the basis vectors. Accuracy is judged by a proven
/// bound from the residual or, where the residual falls fast, by ten times the extrapolated last change of
/// the predictions, each turned into an error of Σ w e² by Cauchy–Schwarz and taken relative to the larger of
/// the fold's own and the mean fold's sum. λ within 1.25 times the smallest pooled error get `tolerance`, the
/// ends of the path 1e-6. λ too small for the Krylov space, many folds, small n and rows whose rotation to tridiagonal form is known use it
/// and the block form of leave-out residuals, every λ to `tolerance`. For λ ≤ n·eps·d_max the eigenvalues d ≤ n·eps·d_max of the
/// training operator are dropped: the minimum-norm interpolant on the numerical range. For K C K the range is
/// that of its factor K √C, at every λ: what lies outside is the rounding of an eigenvalue 0. `gram` symmetric positive semidefinite, one row and column per data row; `weight` empty =
/// ones, else ≥ 0. Cost: steps × (one n×n by n×folds product) + folds × n × steps²; memory n × folds × steps.
FoldErrors kernel_fold_errors(const MatrixView& gram, const VectorView& y, const VectorView& weight,
                              const Folds& folds, std::span<const double> lambdas,
                              const KernelFoldOptions& options = {}, const Progress& progress = {});

/// The same where the Gram matrix may not be needed: with a known rotation it is made for those λ only that the rotation cannot serve.
FoldErrors kernel_fold_errors(const std::function<Matrix()>& gram, const VectorView& y,
                              const VectorView& weight, const Folds& folds, std::span<const double> lambdas,
                              const KernelFoldOptions& options, const Progress& progress);

/// The same by one dense eigendecomposition per fold, for any spectral filter (empty = Tikhonov). Eigenvalues
/// at or below n·eps·d_max are dropped for a given gain. Cost: folds × 9 n³.
FoldErrors kernel_fold_errors_exact(const MatrixView& gram, const VectorView& y, const VectorView& weight,
                                    const Folds& folds, std::span<const double> lambdas,
                                    const KernelFoldOptions& options = {}, const Progress& progress = {},
                                    const SpectralGain& gain = {});

}  // namespace gnomon
