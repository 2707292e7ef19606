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

/// Rows that are held out together: those of one patient, of one site, or of one fold that was drawn elsewhere.
struct RowGroups {
  std::vector<int> of_row{};  ///< numbered from 0 without gaps; empty = every row by itself
  bool are_folds = false;     ///< every group is a fold

  bool empty() const { return of_row.empty(); }
  int count() const;
  /// Those of some of the rows, numbered anew.
  RowGroups of(const std::vector<Index>& rows) const;
};

/// Groups numbered in the order in which their names first come.
RowGroups groups_of(const std::vector<std::string>& name_of_row, bool are_folds = false);

/// Whole groups dealt at random among k folds, the largest first, each to the fold with the fewest rows; k = the number of groups
/// leaves one group out at a time. Groups that are folds stay what they are, whatever k.
Folds grouped_folds(const RowGroups& groups, int k, std::uint64_t seed, std::uint64_t repeat = 0);

/// The folds of n rows whose order says nothing: at most k, of whole groups where there are some.
Folds unordered_folds(Index n, const RowGroups& groups, int k, std::uint64_t seed, std::uint64_t repeat = 0);

/// For each fold the rows it holds out, ascending; one pass over the rows.
std::vector<std::vector<Index>> rows_by_fold(const Folds& folds);

/// Throws unless there are `n` rows and every one is in 0, …, count−1.
void check_folds(const Folds& folds, Index n);

}  // namespace gnomon
