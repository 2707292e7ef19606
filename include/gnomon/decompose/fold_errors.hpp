#pragma once

#include <functional>
#include <string>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Squared held-out errors of a regularization path: per fold (rows) and λ (columns) the weighted sum Σ w e²
/// over the fold's held-out rows, and the folds' total weights. Criteria average the folds' own means, sums/weights.
struct FoldErrors {
  Matrix sums;
  Vector weights;
  /// Under importance weights w, the sums Σ w e² over the same rows; the weights above are then plain counts. Empty
  /// otherwise.
  Matrix importance_sums{};
  /// Largest estimated relative error of the pooled sums over the path; 0 = a direct method, exact to
  /// rounding.
  double error_estimate = 0;
  /// How the sums were obtained, for reports.
  std::string method;
  Vector importance{};  ///< Σ w over the held-out rows, where there are importance sums
  /// y − f of every row by the fit without its fold, rows × λ, where the method came by them and they are not too many;
  /// empty otherwise.
  Matrix residual{};
};

/// Gain x(d) of a spectral filter on an eigenvalue d ≥ 0 of the training operator: coefficients Q diag(x) Qᵀ
/// ỹ. Tikhonov is 1/(d+λ), the cut-off 1/d for d ≥ λ and else 0.
using SpectralGain = std::function<double(double eigenvalue, double lambda)>;

}  // namespace gnomon
