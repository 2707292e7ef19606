#pragma once

#include <optional>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Noise variance pooled within groups of rows with exactly equal inputs:
///   σ² = Σ_g Σ_{i∈g} (y_i − ȳ_g)² / Σ_g (n_g − 1).
/// Assumes nothing about the function. Undefined without repeats. Weight k means the row occurs k times: n_g
/// is the sum of weights and means and squares are weighted. Cost: O(n d log n).
std::optional<double> pure_error(MatrixView x, VectorView y, VectorView weight = Vector());

}  // namespace gnomon
