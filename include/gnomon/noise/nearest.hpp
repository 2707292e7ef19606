#pragma once

#include <optional>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Noise variance from nearest neighbours, any number of inputs:
///   σ² = mean_i (y_i − y_nn(i))² / 2,   nn(i) the nearest other row, the first one in case of a tie.
/// Assumes a function that hardly moves between neighbours: in many dimensions neighbours are far and the
/// estimate is too large. Undefined for n < 2. Cost: O(n² d), a block of rows at a time.
///
/// Weights enter as those of the mean, and rows of weight 0 are left out. They do not stand for repeated rows
/// here: a copy would be its own nearest neighbour and say that there is no noise.
std::optional<double> nearest(MatrixView x, VectorView y, VectorView weight = Vector());

}  // namespace gnomon
