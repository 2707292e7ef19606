#pragma once

#include <string>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon::compare {

/// What one criterion chose on one data set; all NaN where it was undefined there.
struct Choice {
  double error = undefined;   ///< at its choice
  double lambda = undefined;  ///< its choice
  double gap = undefined;  ///< its estimate less the truth that it estimates; NaN where it estimates no error
};

/// One data set: errors of the fits along the path, and what each criterion chose.
struct Trial {
  double least = undefined;          ///< error on the path
  double unregularized = undefined;  ///< error at the least λ
  std::vector<Choice> choices;       ///< one per criterion
  /// Along a few points of the path, noise excluded: the true error, then for every criterion the true error plus what its
  /// estimate is above that which it estimates. Points × (1 + criteria), NaN where a criterion estimates no error; no rows
  /// where there is nothing to show.
  Matrix curves;
};

/// As numbers of a table, with their names; `points` is the number of rows of the curves.
std::vector<std::string> trial_columns(const std::vector<std::string>& criteria, Index points);
Vector to_numbers(const Trial& trial);
Trial trial_from(const VectorView& numbers, std::size_t criteria, Index points);

}  // namespace gnomon::compare
