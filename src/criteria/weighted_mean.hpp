#pragma once

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Σ w v / Σ w over rows, and its standard error √(n/(n − 1) Σ w² (v − mean)²) / Σ w. Rows without weight say nothing, also where
/// their value is undefined.
struct WeightedMean {
  double value = undefined, standard_error = undefined;
};
WeightedMean weighted_mean(const Vector& values, const Vector& weight);

}  // namespace gnomon
