#pragma once

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Weighted cross products about (x_mean, y_mean): xx = Σ w (x−x̄)(x−x̄)ᵀ (full symmetric), xy = Σ w
/// (x−x̄)(y−ȳ)ᵀ, yy the targets' Σ w (y−ȳ)². Without intercept the means are 0 and these are raw second
/// moments.
struct CentredGram {
  Matrix xx, xy;
  Vector yy, x_mean, y_mean;
  double weight = 0;
  Index rows = 0;
};

}  // namespace gnomon
