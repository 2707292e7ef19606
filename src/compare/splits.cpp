#include "splits.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/select/selection.hpp"
#include "searched.hpp"
#include "select/make_tunable.hpp"
#include "select/parameter_search.hpp"
#include "stage.hpp"

namespace gnomon::compare {
namespace {

constexpr std::uint64_t split_key = 0xd1b54a32d192ed03;  // keeps these streams apart from those of folds
constexpr Index all_to_test = 5;

Index test_rows(Index rows) { return std::max<Index>(1, rows / all_to_test); }

double test_error(const SplitData& own, const Vector& predicted) {
  return mean_square(own.test.y.col(0) - predicted, weight_of_errors(own.test));
}

/// What a criterion estimates, on real data: the error on test rows, where it estimates one of that kind.
double wanted_of(const AskedCriterion& c, const Metric& metric, bool shifted, double error) {
  const Target& target = c.criterion().target;
  const auto where = shifted ? Target::Where::at_test_inputs : Target::Where::like_training;
  const bool same = target.noise == Target::Noise::included && !target.less_a_constant &&
                    (target.where == where || target.where == Target::Where::at_training_inputs) &&
                    c.criterion().kind(metric) == ErrorKind::prediction;
  return same ? error : undefined;
}

Trial trial_along_paths(const SplitData& own, const SelectionRequest& request) {
  const Metric metric = metric_of(request, own.training);
  const auto candidates = make_candidates(own.training, request, metric, {});
  std::string reason;
  const auto criteria = asked_criteria(request, *candidates.front().learner, metric,
                                       comparison_of(candidates, request), reason);
  const JudgedPaths judged = judge_paths(own.training, request, metric, candidates, criteria);
  Vector errors(judged.points);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Matrix predicted = fits_along(candidates[i], own.test.x).predicted;
    for (Index k = 0; k < predicted.cols(); ++k)
      errors[judged.first[i] + k] = test_error(own, predicted.col(k));
  }
  return trial_of(judged, errors, 0, [&](std::size_t c, Index k) {
    if (judged.criteria[c].kind != ErrorKind::prediction) return undefined;
    return wanted_of(criteria[c], metric, own.training.importance.size() > 0, errors[k]);
  });
}

Trial trial_of_searches(const SplitData& own, const SelectionRequest& request) {
  const Metric metric{Metric::Kind::train, {}, "train"};
  const auto searcher = search_parameters(own.training, request, {});
  std::string reason;
  const auto criteria = asked_criteria(request, searcher->learner(), metric, searcher->comparison(), reason);
  const SearchedChoices choices = search_choices(own.training, request, criteria, own.test.x);
  const auto error = [&](const Vector& predicted) { return test_error(own, predicted); };
  return trial_of_search(choices, error, [&](std::size_t c) {
    return wanted_of(criteria[c], metric, false, error(choices.criteria[c].predicted));
  });
}

}  // namespace

Split random_split(Index rows, std::uint64_t seed, Index index) {
  require(rows >= 5, "splits need at least 5 rows; there are {}", rows);
  auto order = Random(seed ^ split_key, static_cast<std::uint64_t>(index)).permutation(rows);
  const auto middle = order.begin() + test_rows(rows);
  Split split{{middle, order.end()}, {order.begin(), middle}};
  std::sort(split.train.begin(), split.train.end());
  std::sort(split.test.begin(), split.test.end());
  return split;
}

double split_overlap(Index rows) {
  return static_cast<double>(test_rows(rows)) / static_cast<double>(rows - test_rows(rows));
}

SplitData split_data(const TrainingData& data, const Split& split, Scale scale, bool intercept) {
  SplitData own{rows_of(data, split.train), rows_of(data, split.test)};
  own.training.test_x.resize(0, 0);
  const Scaling scaling = Scaling::fit(own.training.x, own.training.weight, scale, intercept);
  scaling.apply(own.training.x);
  scaling.apply(own.test.x);
  return own;
}

Trial split_trial(const TrainingData& data, const SelectionRequest& asked, Scale scale, Index index) {
  const SplitData own =
      split_data(data, random_split(data.x.rows(), asked.seed, index), scale, asked.intercept);
  SelectionRequest request = asked;
  if (is_tuned(request)) return trial_of_searches(own, request);
  request.search = Search::grid;
  request.keep_spectrum = false;
  return trial_along_paths(own, request);
}

double split_error(const TrainingData& data, const SelectionRequest& asked, Scale scale, Index index) {
  const SplitData own =
      split_data(data, random_split(data.x.rows(), asked.seed, index), scale, asked.intercept);
  SelectionRequest request = asked;
  request.keep_spectrum = false;
  return test_error(own, select(own.training, request).model.predict(own.test.x).col(0));
}

double split_error_of_mean(const TrainingData& data, std::uint64_t seed, Index index) {
  const SplitData own = split_data(data, random_split(data.x.rows(), seed, index), Scale::none);
  const double mean = weighted_mean(own.training.y.col(0), own.training.weight);
  return test_error(own, Vector::Constant(own.test.y.rows(), mean));
}

}  // namespace gnomon::compare
