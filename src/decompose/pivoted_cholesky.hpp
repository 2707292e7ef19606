#pragma once

#include <optional>

#include "gnomon/core/types.hpp"

namespace gnomon {

struct LowRankFactor {
  Matrix factor;       ///< A ≈ L Lᵀ, n × rank
  double error_bound;  ///< trace of A − L Lᵀ, which bounds every norm of the difference
};

/// Pivoted Cholesky of a positive semidefinite matrix, stopped when the largest remaining diagonal entry is
/// at rounding level. Gives up (nothing returned) as soon as the decay of the remainder says that the rank
/// will exceed `max_rank`: then the work of a full decomposition is the better buy. O(n rank²), and little
/// when it gives up.
std::optional<LowRankFactor> pivoted_cholesky(const MatrixView& a, Index max_rank);

}  // namespace gnomon
