#pragma once

#include <cstdint>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// A partition of the rows 0, …, n−1 into `count` folds: row i is held out by fold of_row[i].
struct Folds {
  std::vector<int> of_row;
  int count = 0;

  Index rows() const { return static_cast<Index>(of_row.size()); }
};

/// k random folds whose sizes differ by at most one. The same (seed, repeat) gives the same folds everywhere;
/// different repeats of one seed are independent. Needs 2 ≤ k ≤ n; k = n is leave-one-out.
Folds random_folds(Index n, int k, std::uint64_t seed, std::uint64_t repeat = 0);

/// k folds of consecutive rows whose sizes differ by at most one, for data whose order carries dependence.
Folds blocked_folds(Index n, int k);

/// For each fold the rows it holds out, ascending; one pass over the rows.
std::vector<std::vector<Index>> rows_by_fold(const Folds& folds);

/// Throws unless there are `n` rows and every one is in 0, …, count−1.
void check_folds(const Folds& folds, Index n);

}  // namespace gnomon
