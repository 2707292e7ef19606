#pragma once

#include "gnomon/core/types.hpp"

namespace gnomon {

/// w(x) = Σ_k θ_k exp(−‖x − c_k‖²/(2 width²)) with θ ≥ 0: the model of ulsif, rulsif and kliep.
struct GaussianMixtureRatio {
  Matrix centres;
  double width = 1;
  Vector theta;

  Vector at(const MatrixView& x) const;
};

/// Kernel functions at the rows of x, one column per centre.
Matrix gaussian_features(const MatrixView& x, const MatrixView& centres, double width);

}  // namespace gnomon
