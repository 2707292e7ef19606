#pragma once

#include <optional>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Noise variance from first differences in the order of one input (Rice, Ann. Statist. 12, 1984):
///   σ² = Σ (y_(i+1) − y_(i))² / (2(n−1)),   (·) the stable order by x.
/// Assumes a function that hardly moves between neighbouring inputs; what it moves adds to the estimate.
/// Undefined for n < 2. Takes no weights: a repeated row would be its own neighbour. Cost: O(n log n).
std::optional<double> rice(VectorView x, VectorView y);

}  // namespace gnomon
