#pragma once

#include "gnomon/learn/path_solver.hpp"

namespace gnomon {

/// Weighted least squares with an optional ridge term, min Σ v_i (f(x_i) − y_i)² + λ‖a‖², for importance weights v = w^l
/// of covariate shift (Sugiyama & Müller 2005, eq. 5). By an SVD of √V Φ; a tall design whose cross products are `known`
/// and well conditioned is solved from them. Affine in y (linear, in fact), so its covariance term is a trace.
PathSolverPtr weighted_ridge(const SolverDesign& design, const CentredGram* known);

/// Kernel ridge with importance weights, min Σ v_i (f(x_i) − y_i)² + λ‖f‖², f = Σ α_i k(·, x_i) + b, on the Gram K:
///   α = √V (√V K √V + λI)⁻¹ √V (y − b),
/// from one eigendecomposition. λ = 0 is interpolation on the range of K.
PathSolverPtr weighted_kernel_ridge(const SolverDesign& design);

}  // namespace gnomon
