#pragma once

#include <cstdint>
#include <vector>

#include "repeated_choice.hpp"

namespace gnomon {

/// Squared errors (or other losses) of rows that the fits had not seen, for every candidate point.
struct UnseenErrors {
  Matrix loss;      ///< rows × points
  Vector choosing;  ///< weights of the rows in the criterion; empty = ones
  Vector judging;   ///< weights in the error that is reported: counts, or importance; empty = ones
  Index block = 1;  ///< consecutive rows that are drawn together, since they depend on each other
  Matrix
      residual{};  ///< y − f, whose squares are the losses; needed where fits are averaged, empty otherwise
  std::vector<int> groups{};  ///< the group of every row, which are drawn together likewise; empty = none
};

/// The error after choosing, and the interval that holds the truth with probability `level`.
struct AfterChoosing {
  double value = undefined, low = undefined, high = undefined;
};

/// Bootstrap bias-corrected cross-validation (Tsamardinos, Greasidou & Borboudakis, Machine Learning 107, 2018): draw rows with
/// replacement, choose again (or average again) by their errors, and judge that fit by the rows that were not drawn. No refit. The value is the
/// mean over rows of their average loss while they were out, or 1.1 × the median of the draws' own means where that is less; the interval comes from the spread of the draws' own means, widened
/// for few rows as bench/regret/coverage.md found it necessary. O(draws·rows·points) multiplications, with many rows in groups.
AfterChoosing error_after_choosing(const UnseenErrors& errors, const RepeatedChoice& choice, double level,
                                   std::uint64_t seed);

/// An estimate and another one that errs to the other side: the value goes this share of the way to it on the log scale, the end that
/// lies there three quarters, the other end stays. Nothing moves towards a value that is not positive and finite, or by more than a
/// factor 4.
AfterChoosing moved_towards(AfterChoosing from, double other, double share);

/// Weighted mean of each column.
Vector weighted_means(const Matrix& loss, const Vector& weight);

}  // namespace gnomon
