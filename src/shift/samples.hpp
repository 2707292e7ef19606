#pragma once

#include <cstdint>

#include "gnomon/shift/density_ratio.hpp"

namespace gnomon {

PooledScale pooled_scale(const MatrixView& train, const MatrixView& test);

TwoSamples prepare_samples(const MatrixView& train, const MatrixView& test, std::uint64_t seed);

/// Throws unless both samples have the same columns, at least `rows` rows, and finite values only.
void check_samples(const MatrixView& train, const MatrixView& test, Index rows);

/// Sorts the rows (first column first) and shuffles them by (seed, stream).
Matrix canonical_order(const MatrixView& x, std::uint64_t seed, std::uint64_t stream);

}  // namespace gnomon
