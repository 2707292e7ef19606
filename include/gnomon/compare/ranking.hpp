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

struct Mean {
  double value = undefined, standard_error = undefined;
};
/// Of the finite numbers of a sample, with the standard error sd·√(1/count + overlap): 0 for independent numbers, n_test/n_train
/// for random splits of one data set, which share their rows (Nadeau & Bengio 2003).
Mean mean_of(const VectorView& sample, double overlap = 0);

/// What a criterion is worth, over data sets. Regret is the error at its choice over the least on the path, ≥ 1.
struct Score {
  std::string name;
  Index data_sets = 0;                         ///< in which it chose something
  Index undefined_in = 0;                      ///< and in which it did not
  Mean error, regret;                          ///< at its choice
  double regret_95 = undefined;                ///< 95 % quantile
  double improvement_probability = undefined;  ///< error below that at the least λ
  Mean relative_improvement;                   ///< 1 − error/error at the least λ
  Mean bias;  ///< of its estimate at its choice; NaN where it estimates no error
  double bias_deviation = undefined;
  double decades = undefined;  ///< standard deviation of log10 λ chosen, within groups
  Mean behind;                 ///< paired difference of log regret to the best: 0 for the best
  bool ties = false;           ///< within two standard errors of the best, as is every one above it
};

/// Best first, by mean log regret; criteria that were undefined somewhere come after those that never were. `group` of every
/// trial: data sets of one truth and noise; empty = all are one. `overlap`: see mean_of.
std::vector<Score> rank(const std::vector<std::string>& criteria, const std::vector<Trial>& trials,
                        const std::vector<Index>& group = {}, double overlap = 0);

/// "Choose by loo; gcv and cv cannot be told apart from it on data like yours."
std::string recommendation(const std::vector<Score>& ranked);

/// Mean held-out error of things tried on the same splits, best first; errors are splits × names.
std::vector<Score> rank_errors(const std::vector<std::string>& names, const Matrix& errors,
                               double overlap = 0);

}  // namespace gnomon::compare
