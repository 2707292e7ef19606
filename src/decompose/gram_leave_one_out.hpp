#pragma once

#include "gnomon/core/types.hpp"
#include "gram_statistics.hpp"
#include "leave_one_out_sums.hpp"

namespace gnomon {

/// Spectrum of the cross products of all rows, cut at d > p·eps·d_max, and the target in it:
/// xx = V diag(d) Vᵀ, score = D^(−1/2) Vᵀ xy. Fitted values are Z diag(h) score with Z = √w (x−x̄) V D^(−1/2).
struct GramSpectrum {
  Matrix vectors;
  Vector values, score, x_mean;
  double y_mean = 0, weight = 0;
};

/// Leave-one-out of a linear smoother on tall data, second pass over a block of rows (adds to `sums`).
/// `filter` holds the filter values h ∈ [0, 1], eigenvalues × lambdas. A row of weight w is w equal rows of
/// which one is left out (all of it when w < 1): with leverage ℓ = w/Σw [intercept] + Σ_j z_j² h_j and u =
/// min(1, w),
///
///   e = r / (1 − ℓ u/w),    exact for ridge regression (Tikhonov) and least squares.
///
/// Cost per row: 2p r + 4 k (r + lambdas), five matrix products, with k ≤ r the numerical rank of the filter (a dozen on a grid).
/// The order of sums does not depend on the threads.
void gram_leave_one_out(const MatrixView& x, const VectorView& y, const VectorView& weight,
                        const GramSpectrum& spectrum, const MatrixView& filter, bool intercept,
                        LeaveOneOutSums& sums);
/// The same of rows that may have to be made.
void gram_leave_one_out(const RowBlocks& x, const VectorView& y, const VectorView& weight,
                        const GramSpectrum& spectrum, const MatrixView& filter, bool intercept,
                        LeaveOneOutSums& sums);

}  // namespace gnomon
