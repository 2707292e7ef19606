#pragma once

#include <span>
#include <vector>

#include "decompose/gram_statistics.hpp"

namespace gnomon {

/// Gram statistics of the rows [features | y] under the weights w^l, one for every exponent l ≥ 0 (0⁰ = 1), each per
/// fold. Rows are packed once and scaled per exponent while they are in cache, so that narrow designs cost about half
/// a dsyrk pass per exponent. Where a power overflows the statistics are not finite.
std::vector<GramStatistics> flattening_moments(const MatrixView& features, const MatrixView& y,
                                               const VectorView& importance,
                                               std::span<const double> exponents,
                                               std::span<const int> fold_of_row, int folds);

}  // namespace gnomon
