#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gnomon/compare/ranking.hpp"
#include "gnomon/data/scaling.hpp"
#include "gnomon/select/request.hpp"

namespace gnomon::compare {

/// A random split of the user's rows, a function of seed and index alone: a fifth of them, at least one, to test on.
struct Split {
  std::vector<Index> train, test;
};
Split random_split(Index rows, std::uint64_t seed, Index index);
/// n_test/n_train.
double split_overlap(Index rows);

/// The rows to learn from and those to test on, inputs scaled by the former alone; `none` leaves them as they are.
struct SplitData {
  TrainingData training, test;
};
SplitData split_data(const TrainingData& data, const Split& split, Scale scale, bool intercept = true);

/// The real y: each criterion chooses on the training rows of a split, and its choice is judged by the mean squared error on the
/// rows left for testing, noise included; counts and importance weigh their rows. `request.criteria` names them, one by one.
Trial split_trial(const TrainingData& data, const SelectionRequest& request, Scale scale, Index index);

/// The error on the test rows of the same split when the request's first criterion chooses and the learner is refitted.
double split_error(const TrainingData& data, const SelectionRequest& request, Scale scale, Index index);
/// And that of the mean of the training rows.
double split_error_of_mean(const TrainingData& data, std::uint64_t seed, Index index);

}  // namespace gnomon::compare
