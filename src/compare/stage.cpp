#include "stage.hpp"

#include <algorithm>

#include "gnomon/core/random.hpp"
#include "select/candidates.hpp"

namespace gnomon::compare {
namespace {

constexpr Index parts = 5;                               // of the rows, one of which is left to judge by
constexpr Index most_rows_of_all_parts = 1500;           // beyond, vectors for all of them take much memory
constexpr std::uint64_t stage_key = 0x9e3779b97f4a7c15;  // keeps this stream apart from those of folds

Vector entries_of(const Vector& v, const std::vector<Index>& rows) {
  return v.size() ? Vector(v(rows)) : Vector();
}

Stage stage_without(const TrainingData& data, std::vector<Index> test, const World& world) {
  Stage stage;
  std::sort(test.begin(), test.end());
  for (Index i = 0; i < data.x.rows(); ++i)
    if (!std::binary_search(test.begin(), test.end(), i)) stage.train.push_back(i);
  stage.data = rows_of(data, stage.train);
  stage.data.test_x = data.x(test, Eigen::all);
  stage.judge_weight = entries_of(weight_of_errors(data), test);
  for (const Truth& truth : world.truths) {
    stage.truth.emplace_back(truth.values(test));
    stage.truth_known.emplace_back(truth.values(stage.train));
  }
  stage.test = std::move(test);
  return stage;
}

Stage stage_at_test_inputs(const TrainingData& data, const World& world) {
  Stage stage;
  for (Index i = 0; i < data.x.rows(); ++i) stage.train.push_back(i);
  stage.data = data;
  for (const Truth& truth : world.truths) {
    stage.truth.push_back(truth.at_test);
    stage.truth_known.push_back(truth.values);
  }
  return stage;
}

}  // namespace

double mean_square(const Vector& v, const Vector& weight) {
  if (weight.size() == 0) return v.squaredNorm() / static_cast<double>(v.size());
  return weight.dot(v.cwiseAbs2()) / weight.sum();
}

double weighted_mean(const Vector& v, const Vector& weight) {
  return weight.size() ? weight.dot(v) / weight.sum() : v.mean();
}

TrainingData rows_of(const TrainingData& data, const std::vector<Index>& rows) {
  TrainingData own = data;
  own.x = data.x(rows, Eigen::all);
  own.y = data.y(rows, Eigen::all);
  own.weight = entries_of(data.weight, rows);
  own.importance = entries_of(data.importance, rows);
  return own;
}

const Vector& weight_of_errors(const TrainingData& data) {
  return data.importance.size() ? data.importance : data.weight;
}

TrainingData Stage::with_targets(const Vector& y) const {
  TrainingData own = data;
  own.y = y(train);
  return own;
}

std::vector<Stage> make_stages(const TrainingData& data, const SelectionRequest& request,
                               const World& world) {
  std::vector<Stage> stages;
  const Index n = data.x.rows();
  if (data.test_x.rows() > 0) {
    stages.push_back(stage_at_test_inputs(data, world));
  } else {
    const auto order = Random(request.seed ^ stage_key, ~std::uint64_t{0}).permutation(n);
    const Index count = n <= most_rows_of_all_parts ? parts : 2;
    for (Index d = 0; d < count; ++d)
      stages.push_back(
          stage_without(data, {order.begin() + d * n / parts, order.begin() + (d + 1) * n / parts}, world));
  }
  for (Stage& stage : stages) stage.metric = metric_of(request, stage.data);
  return stages;
}

}  // namespace gnomon::compare
