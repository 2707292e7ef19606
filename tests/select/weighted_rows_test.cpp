// Rows with weights: the error of the choice holds out whole rows, since the rest of a row's weight would give it away.

#include <gtest/gtest.h>

#include <cmath>

#include "gnomon/core/random.hpp"
#include "gnomon/select/selection.hpp"

namespace gnomon::weighted_rows_test {
namespace {

/// A smooth function of two inputs with noise; weights above 1 that say nothing of the noise.
TrainingData weighted_rows(Index n, std::uint64_t seed, bool weighted = true) {
  Random random(seed);
  TrainingData data;
  data.x.resize(n, 2);
  data.y.resize(n, 1);
  if (weighted) data.weight.resize(n);
  for (Index i = 0; i < n; ++i) {
    data.x.row(i) << random.normal(), random.normal();
    data.y(i, 0) = std::sin(2 * data.x(i, 0)) + data.x(i, 1) + 0.5 * random.normal();
    const double weight = 1 + 4 * random.uniform();
    if (weighted) data.weight[i] = weight;
  }
  data.target_names = {"y"};
  return data;
}

SelectionRequest request_of(const std::string& learner, std::vector<std::string> criteria = {"auto"}) {
  SelectionRequest request;
  request.learner = learner;
  request.criteria = std::move(criteria);
  request.chosen_error = true;
  return request;
}

double error_on_new_rows(const Model& model) {
  const TrainingData fresh = weighted_rows(4000, 99, false);
  return (model.predict(fresh.x) - fresh.y).squaredNorm() / static_cast<double>(fresh.y.rows());
}

TEST(WeightedRows, TheErrorIsThatOnNewRowsWhateverTheWeights) {
  double ratio = 0, squares = 0;
  constexpr int sets = 12;
  for (int set = 0; set < sets; ++set) {
    const Selection s =
        select(weighted_rows(80, static_cast<std::uint64_t>(set)), request_of("kernel-ridge"));
    EXPECT_EQ(s.targets.front().chosen().label, "cv");
    const double own = std::log(s.targets.front().error->value / error_on_new_rows(s.model));
    ratio += own, squares += own * own;
  }
  const double mean = ratio / sets, error = std::sqrt((squares / sets - mean * mean) / (sets - 1));
  EXPECT_NEAR(mean, 0, 3 * error + 0.05);
}

TEST(WeightedRows, WhatLeavesOutOneUnitOfWeightIsJudgedByWholeRowsAndWarnedOf) {
  const TrainingData data = weighted_rows(80, 3);
  const Selection s = select(data, request_of("kernel-ridge", {"loo"}));
  const TargetSelection& y = s.targets.front();
  EXPECT_LT(y.chosen().selected->value, 0.5 * y.error->value);
  ASSERT_FALSE(y.warnings.empty());
  EXPECT_NE(y.warnings.back().find("loo leaves out one unit of a row's weight"), std::string::npos)
      << y.warnings.back();
}

TEST(WeightedRows, WeightsOfOneAreNone) {
  TrainingData data = weighted_rows(60, 4, false);
  const Selection without = select(data, request_of("kernel-ridge"));
  data.weight = Vector::Ones(60);
  const Selection with = select(data, request_of("kernel-ridge"));
  EXPECT_EQ(with.targets.front().error->value, without.targets.front().error->value);
  EXPECT_EQ(with.targets.front().error->high, without.targets.front().error->high);
  EXPECT_EQ(with.targets.front().chosen().label, without.targets.front().chosen().label);
}

TEST(WeightedRows, TheConstantIsJudgedWithoutTheRow) {
  TrainingData data = weighted_rows(20, 5);
  data.weight.setConstant(2);
  const Selection twice = select(data, request_of("ridge"));
  data.weight = Vector();
  const Selection once = select(data, request_of("ridge"));
  const double baseline = once.targets.front().error->baseline;
  EXPECT_NEAR(twice.targets.front().error->baseline, baseline, 1e-12 * baseline);
}

TEST(WeightedRows, ErrorsAreThoseOfFitsWithoutTheRow) {
  const TrainingData data = weighted_rows(25, 7);
  for (const std::string learner : {"ridge", "kernel-ridge"}) {
    SelectionRequest request = request_of(learner, {"cv"});
    request.lambda = 0.7;
    if (learner == "kernel-ridge") request.width = 1.0;
    const Selection s = select(data, request);
    SelectionRequest without = request;
    without.chosen_error = false;
    for (const Index row : {0, 11, 24}) {
      std::vector<Index> others;
      for (Index i = 0; i < 25; ++i)
        if (i != row) others.push_back(i);
      TrainingData rest;
      rest.x = data.x(others, Eigen::all), rest.y = data.y(others, Eigen::all);
      rest.weight = data.weight(others), rest.target_names = data.target_names;
      const double residual = data.y(row, 0) - select(rest, without).model.predict(data.x.row(row))(0, 0);
      EXPECT_NEAR(s.targets.front().error->residual[row], residual, 1e-9) << learner;
    }
  }
}

}  // namespace
}  // namespace gnomon::weighted_rows_test
