#pragma once

#include <span>

#include "gnomon/core/progress.hpp"
#include "gnomon/core/types.hpp"
#include "gnomon/data/folds.hpp"

namespace gnomon {

/// Cross-validated squared error, up to a constant, of the least-squares ratio (least_squares_ratio.hpp) for every width
/// (rows) and λ (columns): with θ fitted without a fold of both samples,
///   (1 − α)/(2n) Σ (φᵀθ)² + α/(2m) Σ (ψᵀθ)² − 1/m Σ ψᵀθ
/// over all training rows φ and test rows ψ, each held out once. Centres are the first `centres` test rows; those that a fold
/// holds out do not serve it, since a narrow kernel would find its own row at its peak.
/// Cost per width: O((n + m) b² + K b³) for b centres and K folds, and O((n + m) b) for each λ.
Matrix ratio_fold_scores(const MatrixView& train, const MatrixView& test, Index centres,
                         std::span<const double> widths, std::span<const double> lambdas, double alpha,
                         const Folds& train_folds, const Folds& test_folds, const Progress& progress = {});

}  // namespace gnomon
