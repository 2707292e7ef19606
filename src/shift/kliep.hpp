#pragma once

#include "gaussian_mixture_ratio.hpp"
#include "gnomon/core/types.hpp"

namespace gnomon {

/// Kullback–Leibler importance estimation (Sugiyama et al., Ann. Inst. Statist. Math. 60 (2008)): with ψ_k(x)
/// the kernel functions and b_k their means over the training inputs,
///   maximise mean_j log Σ_k θ_k ψ_k(x_j) over the test inputs,  θ ≥ 0,  Σ_k b_k θ_k = 1.
/// The shares u_k = b_k θ_k are those of a mixture with known components ψ_k/b_k; the problem is concave and
///   gap = max_k mean_j ψ_k(x_j)/(b_k w(x_j)) − 1
/// bounds what the objective can still gain.
struct KliepFit {
  GaussianMixtureRatio ratio;
  double objective = undefined;  ///< mean log ratio at the test inputs
  double gap = undefined;
  int iterations = 0;
  bool converged = false;  ///< gap ≤ tolerance
};

/// Throws if a test input is out of reach of every centre (its ratio would be 0 and the objective −∞).
KliepFit kliep_fit(const MatrixView& train, const MatrixView& test, const MatrixView& centres, double width,
                   double tolerance = 1e-10);

}  // namespace gnomon
