#include "splits.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/select/selection.hpp"
#include "paths.hpp"

namespace gnomon::compare {
namespace {

constexpr std::uint64_t split_key = 0xd1b54a32d192ed03;  // keeps these streams apart from those of folds
constexpr Index all_to_test = 5;

Index test_rows(Index rows) { return std::max<Index>(1, rows / all_to_test); }

double mean_square(const Vector& v) { return v.squaredNorm() / static_cast<double>(v.size()); }

/// Errors on the test rows at every point of a smoother's path.
Vector test_errors_of(const Learner& learner, const std::vector<double>& lambdas, const TrainingData& data) {
  Vector errors(static_cast<Index>(lambdas.size()));
  for (Index k = 0; k < errors.size(); ++k) {
    const Fit fit = learner.fit_at(points_of({&lambdas[static_cast<std::size_t>(k)], 1}));
    errors[k] = mean_square(data.test_y.col(0) - fit.model.predict(data.test_x).col(0));
  }
  return errors;
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

TrainingData split_data(const TrainingData& data, const Split& split, Scale scale) {
  TrainingData own = data;
  own.x = data.x(split.train, Eigen::all);
  own.y = data.y(split.train, Eigen::all);
  own.test_x = data.x(split.test, Eigen::all);
  own.test_y = data.y(split.test, Eigen::all);
  const Scaling scaling = Scaling::fit(own.x, Vector(), scale);
  scaling.apply(own.x);
  scaling.apply(own.test_x);
  return own;
}

Trial split_trial(const TrainingData& data, const SelectionRequest& asked, Scale scale, Index index) {
  const TrainingData own = split_data(data, random_split(data.x.rows(), asked.seed, index), scale);
  SelectionRequest request = asked;
  request.search = Search::grid;
  request.keep_spectrum = false;
  const Metric metric = metric_of(request, own);
  const auto candidates = make_candidates(own, request, metric, {});
  std::string reason;
  const auto criteria = asked_criteria(request, *candidates.front().learner, metric,
                                       comparison_of(candidates, request), reason);
  const JudgedPaths judged = judge_paths(own, request, metric, candidates, criteria);
  Vector errors = judged.test_error;
  if (candidates.front().learner->linear()) {
    errors.resize(judged.points);
    for (std::size_t i = 0; i < candidates.size(); ++i)
      errors.segment(judged.first[i], static_cast<Index>(candidates[i].lambdas.size())) =
          test_errors_of(*candidates[i].learner, candidates[i].lambdas, own);
  }
  if (errors.size() != judged.points) errors = Vector::Constant(judged.points, undefined);
  return trial_of(judged, errors, 0, [&](std::size_t c, Index k) {
    const Criterion& criterion = criteria[c].criterion();
    const bool same = criterion.target.noise == Target::Noise::included &&
                      !criterion.target.less_a_constant && judged.criteria[c].kind == ErrorKind::prediction;
    return same ? errors[k] : undefined;
  });
}

double split_error(const TrainingData& data, const SelectionRequest& asked, Scale scale, Index index) {
  const TrainingData own = split_data(data, random_split(data.x.rows(), asked.seed, index), scale);
  TrainingData training = own;
  training.test_x.resize(0, 0);
  training.test_y.resize(0, 0);
  SelectionRequest request = asked;
  request.keep_spectrum = false;
  return mean_square(own.test_y.col(0) - select(training, request).model.predict(own.test_x).col(0));
}

double split_error_of_mean(const TrainingData& data, std::uint64_t seed, Index index) {
  const Split split = random_split(data.x.rows(), seed, index);
  const Vector y = data.y(split.test, 0);
  return mean_square(y.array() - Vector(data.y(split.train, 0)).mean());
}

}  // namespace gnomon::compare
