#pragma once

#include "gnomon/compare/simulation.hpp"

namespace gnomon::compare {

/// Where one data set is played out: the rows to learn from, and the inputs to judge fits by, at which the truths are known.
struct Stage {
  TrainingData data;                ///< of the rows to learn from; what to judge by as test_x
  std::vector<Index> train, test;   ///< rows; no test rows where the user's test inputs are judged by
  Vector judge_weight;              ///< of the errors there; empty = all alike
  std::vector<Vector> truth;        ///< there, by truth
  std::vector<Vector> truth_known;  ///< at the rows to learn from
  Metric metric;                    ///< of criteria, on these rows

  TrainingData with_targets(const Vector& y) const;
};

/// All rows and the test inputs; without these the fifths of the rows, each left out once (two of them beyond 1500 rows).
std::vector<Stage> make_stages(const TrainingData& data, const SelectionRequest& request, const World& world);

/// Σ w v²/Σ w; no weights: the mean square.
double mean_square(const Vector& v, const Vector& weight);
/// Σ w v/Σ w; no weights: the mean.
double weighted_mean(const Vector& v, const Vector& weight);
/// The rows of a data set, with their weights and importance.
TrainingData rows_of(const TrainingData& data, const std::vector<Index>& rows);
/// By which errors at rows are weighed: importance if there is any, else counts.
const Vector& weight_of_errors(const TrainingData& data);

}  // namespace gnomon::compare
