#pragma once

#include "data/row_blocks.hpp"
#include "gnomon/noise/noise.hpp"

namespace gnomon {

/// Observations with the same inputs as others. Weight k counts a row k times.
struct Replicates {
  double freedom =
      0;  ///< Σ_g (n_g − 1) over groups of equal inputs: observations that repeat the inputs of another
  double copies = 0;   ///< those of them that repeat its target too
  double squares = 0;  ///< Σ_g Σ_{i∈g} (y_i − ȳ_g)²

  /// Equal targets at equal inputs as a rule, not by chance: rows entered twice, which say nothing about the noise.
  bool are_copies() const { return copies > freedom / 2; }
};

/// Cost: O(n log n) where the first column tells the rows apart, else O(n d + n log n log d).
Replicates replicates_of(MatrixView x, VectorView y, VectorView weight = Vector());
/// The same of rows that may have to be made: all columns are gone through, and rows that may have a twin are kept.
Replicates replicates_of(const RowBlocks& x, VectorView y, VectorView weight);
Replicates replicates_of(const NoiseContext&);

}  // namespace gnomon
