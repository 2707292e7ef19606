#pragma once

#include <span>

#include "gaussian_mixture_ratio.hpp"
#include "gnomon/core/progress.hpp"
#include "gnomon/core/types.hpp"

namespace gnomon {

/// Least-squares importance fitting, with coefficients clipped at zero (uLSIF: Kanamori, Hido, Sugiyama, JMLR 10
/// (2009); relative ratio, α > 0: Yamada et al., Neural Computation 25 (2013)). With φ_i, ψ_i the kernel
/// functions at training input i and test input i,
///   H = (1 − α)/n Σ φ_i φ_iᵀ + α/m Σ ψ_i ψ_iᵀ,   h = 1/m Σ ψ_i,   θ = max(0, (H + λI)⁻¹ h)
/// estimates p_test / (α p_test + (1 − α) p_train). Width and λ are chosen by ratio_folds.hpp; the score here is uLSIF's own,
/// which leaves out pair i of both samples (a study of the two is in bench/study_ratio.md):
///   1/N Σ_{i ≤ N} [ (1 − α)/2 (φ_iᵀθ₋ᵢ)² + α/2 (ψ_iᵀθ₋ᵢ)² − ψ_iᵀθ₋ᵢ ],   N = min(n, m).
struct LeastSquaresRatioFit {
  GaussianMixtureRatio ratio;
  double leave_one_out = undefined;
};

LeastSquaresRatioFit least_squares_ratio(const MatrixView& train, const MatrixView& test,
                                         const MatrixView& centres, double width, double lambda,
                                         double alpha = 0);

/// The score for every width (rows) and λ (columns), over the first `pairs` pairs (0: all). One eigendecomposition per width; leaving a pair out is a
/// change of rank two, solved in the eigenbasis: O(N b²) per (width, λ) for b centres, which is what it costs to
/// clip N coefficient vectors.
Matrix least_squares_ratio_scores(const MatrixView& train, const MatrixView& test, const MatrixView& centres,
                                  std::span<const double> widths, std::span<const double> lambdas,
                                  double alpha = 0, Index pairs = 0, const Progress& progress = {});

}  // namespace gnomon
