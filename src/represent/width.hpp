#pragma once

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Median of the Euclidean distances between all pairs of rows i < j, the usual first guess of a kernel
/// width.
///
/// Weights count rows (empty: one each): weight k means the row occurs k times, so that pair (i, j) counts
/// w_i w_j times and w_i (w_i − 1)/2 distances of 0 join for w_i > 1. With an even number of distances the
/// two middle ones are averaged. A median of 0 (many repeats) gives way to the median of the positive
/// distances; without any, the answer is 1.
///
/// Exact up to 4000 rows; beyond that, the median over 4000 evenly spaced rows. Cost: O(min(n, 4000)² d).
double median_distance(MatrixView x, VectorView weight);

}  // namespace gnomon
