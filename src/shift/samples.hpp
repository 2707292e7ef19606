#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Centres columns and divides them by their pooled standard deviation; constant columns go.
struct PooledScale {
  Index inputs = 0;            ///< columns of the data
  std::vector<Index> columns;  ///< those that vary over the two samples
  Vector mean, deviation;      ///< of these

  Matrix operator()(const MatrixView& x) const;
};

PooledScale pooled_scale(const MatrixView& train, const MatrixView& test);

/// Two samples on the pooled scale. Rows are sorted and then shuffled by the seed, so that no answer depends on
/// the order in which they came, and any leading part is a random subset.
struct Samples {
  PooledScale scale;
  Matrix train, test;

  /// At most `count` rows of the test sample, chosen at random.
  Matrix centres(Index count) const { return test.topRows(std::min(count, test.rows())); }
  /// Both samples, one under the other.
  Matrix pooled() const;
};

Samples prepare_samples(const MatrixView& train, const MatrixView& test, std::uint64_t seed);

/// Throws unless both samples have the same columns, at least `rows` rows, and finite values only.
void check_samples(const MatrixView& train, const MatrixView& test, Index rows);

/// Sorts the rows (first column first) and shuffles them by (seed, stream).
Matrix canonical_order(const MatrixView& x, std::uint64_t seed, std::uint64_t stream);

}  // namespace gnomon
