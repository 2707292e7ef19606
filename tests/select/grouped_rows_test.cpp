// Rows that are held out together: in groups, or in folds that were given.

#include <gtest/gtest.h>

#include <cmath>

#include "gnomon/core/random.hpp"
#include "gnomon/select/selection.hpp"
#include "refusal.hpp"

namespace gnomon::grouped_rows_test {
namespace {

using testing::message_of;

/// Rows of a group share most of their input and part of their target; only the first input tells of the target elsewhere.
TrainingData sites(Index groups, Index rows_each, std::uint64_t seed) {
  Random random(seed);
  TrainingData data;
  const Index n = groups * rows_each;
  data.x.resize(n, 2);
  data.y.resize(n, 1);
  std::vector<std::string> names;
  for (Index g = 0; g < groups; ++g) {
    const double place = random.normal(), effect = random.normal();
    for (Index i = g * rows_each; i < (g + 1) * rows_each; ++i) {
      data.x.row(i) << random.normal(), place + 0.01 * random.normal();
      data.y(i, 0) = data.x(i, 0) + effect + 0.3 * random.normal();
      names.push_back("site " + std::to_string(g));
    }
  }
  data.target_names = {"y"};
  data.groups = groups_of(names);
  return data;
}

SelectionRequest request_of(const std::string& learner, std::vector<std::string> criteria = {"auto"}) {
  SelectionRequest request;
  request.learner = learner;
  request.criteria = std::move(criteria);
  if (learner == "kernel-ridge" || learner == "svr") request.width = 1.0;
  return request;
}

TrainingData with_rows(const TrainingData& data, const std::vector<Index>& rows) {
  TrainingData out;
  out.x = data.x(rows, Eigen::all);
  out.y = data.y(rows, Eigen::all);
  if (data.weight.size()) out.weight = data.weight(rows);
  out.target_names = data.target_names;
  return out;
}

/// The mean over groups of the mean squared error of a fit at λ to the other groups.
double left_out_by_refits(const TrainingData& data, SelectionRequest request, double lambda) {
  request.lambda = lambda;
  request.criteria = {"cv:2"};
  double sum = 0;
  for (int g = 0; g < data.groups.count(); ++g) {
    std::vector<Index> kept, held;
    for (Index i = 0; i < data.x.rows(); ++i)
      (data.groups.of_row[static_cast<std::size_t>(i)] == g ? held : kept).push_back(i);
    const Matrix predicted = select(with_rows(data, kept), request).model.predict(data.x(held, Eigen::all));
    sum += (data.y(held, Eigen::all) - predicted).squaredNorm() / static_cast<double>(held.size());
  }
  return sum / data.groups.count();
}

TEST(GroupedRows, CrossValidationLeavesOutWholeGroups) {
  const TrainingData data = sites(6, 5, 1);
  for (const std::string learner : {"ridge", "kernel-ridge", "lasso", "huber", "svr"}) {
    SelectionRequest request = request_of(learner, {"cv"});
    request.lambda = "0.1:10:3";
    if (learner == "huber") request.tau = 0.5;
    if (learner == "svr") request.epsilon = 0.1;
    const Selection s = select(data, request);
    const SelectionPath& path = *s.targets.front().path();
    for (std::size_t k = 0; k < path.lambda.size(); ++k) {
      const double expected = left_out_by_refits(data, request, path.lambda[k]);
      EXPECT_NEAR(path.chosen().curve.value[static_cast<Index>(k)], expected, 1e-6 * expected) << learner;
    }
  }
}

TEST(GroupedRows, GradientsGoByThemToo) {
  const TrainingData data = sites(6, 5, 2);
  SelectionRequest request = request_of("ridge", {"cv"});
  request.groups = "each";
  const Selection s = select(data, request);
  EXPECT_TRUE(s.targets.front().search()->searched);
  const auto least = [&](const TrainingData& rows) {
    return select(rows, request).targets.front().chosen().selected->value;
  };
  TrainingData folds = data, plain = data;
  folds.groups.are_folds = true;
  plain.groups = {};
  const double value = least(data);
  EXPECT_NEAR(least(folds), value, 1e-9 * value);
  EXPECT_GT(std::abs(least(plain) - value), 1e-2 * value);
}

TEST(GroupedRows, AutoTakesCrossValidation) {
  const TrainingData data = sites(6, 5, 3);
  for (const LearnerEntry& learner : learner_catalog()) {
    if (learner.name == "mlp" || learner.row_weights == RowWeights::density_ratios) continue;  // below
    const Selection s = select(data, request_of(learner.name));
    EXPECT_EQ(s.targets.front().chosen().label, "cv") << learner.name;
    EXPECT_EQ(s.default_reason, "rows are held out by groups or given folds") << learner.name;
  }
  SelectionRequest network = request_of("mlp");
  network.hidden = "2";
  network.restarts = 1;
  EXPECT_EQ(select(data, network).targets.front().chosen().label, "cv");
  TrainingData shifted = data;
  shifted.importance = Random(1).uniform_vector(data.x.rows(), 0.5, 2);
  EXPECT_EQ(select(shifted, request_of("iwls")).targets.front().chosen().label, "iwcv");
}

/// Given folds make a weight of k and k rows the same for every learner, whatever the order of the rows.
TEST(GroupedRows, WeightsAreRepeatedRowsWhereFoldsAreGiven) {
  TrainingData weighted = sites(4, 6, 4);
  weighted.groups.are_folds = true;
  weighted.weight = Vector::Ones(24);
  for (Index i = 0; i < 24; i += 3) weighted.weight[i] = 2;
  std::vector<Index> rows;
  for (Index i = 23; i >= 0; --i)
    for (int k = 0; k < weighted.weight[i]; ++k) rows.push_back(i);
  TrainingData repeated = with_rows(weighted, rows);
  repeated.weight = {};
  repeated.groups = weighted.groups.of(rows);
  for (const std::string learner : {"ridge", "kernel-ridge", "lasso", "elastic-net", "huber", "svr",
                                    "additive", "spectral-cutoff", "landweber"}) {
    const Selection a = select(weighted, request_of(learner)), b = select(repeated, request_of(learner));
    const Matrix x = weighted.x.topRows(8);
    EXPECT_TRUE(a.model.predict(x).isApprox(b.model.predict(x), 1e-6)) << learner;
    const double value = a.targets.front().chosen().selected->value;
    EXPECT_NEAR(b.targets.front().chosen().selected->value, value, 1e-6 * std::abs(value)) << learner;
  }
}

/// Of rows that share their group's effect, those held out one by one are predicted from their neighbours; a new group is not.
TEST(GroupedRows, TheErrorIsThatOnNewGroups) {
  constexpr int trials = 40;
  Vector in_groups(trials), by_rows(trials), truth(trials);
  for (int t = 0; t < trials; ++t) {
    const TrainingData data = sites(20, 6, 100 + static_cast<std::uint64_t>(t)),
                       fresh = sites(400, 1, 9000 + static_cast<std::uint64_t>(t));
    SelectionRequest request = request_of("kernel-ridge");
    request.chosen_error = true;
    const Selection s = select(data, request);
    in_groups[t] = s.targets.front().error->value;
    truth[t] = (fresh.y - s.model.predict(fresh.x)).squaredNorm() / 400;
    TrainingData alone = data;
    alone.groups = {};
    by_rows[t] = select(alone, request).targets.front().error->value;
  }
  const auto error_of_mean = [](const Vector& v) {
    return std::sqrt((v.array() - v.mean()).square().sum() / (trials - 1.0) / trials);
  };
  // 0.09 of noise and 1 of the group's effect at the least.
  EXPECT_GT(truth.mean(), 1.09);
  EXPECT_NEAR((in_groups - truth).mean(), 0, 3 * error_of_mean(in_groups - truth) + 0.05 * truth.mean());
  EXPECT_LT(by_rows.mean(), 0.5 * truth.mean());
}

TEST(GroupedRows, AnIntervalCountsGroups) {
  const TrainingData data = sites(12, 8, 7);
  SelectionRequest request = request_of("ridge", {"cv"});
  request.chosen_error = true;
  const ChosenError grouped = *select(data, request).targets.front().error;
  TrainingData folds = data;
  folds.groups.are_folds = true;  // the same folds of rows that count one by one
  const ChosenError rows = *select(folds, request).targets.front().error;
  EXPECT_GT(grouped.high / grouped.low, 1.3 * rows.high / rows.low);
  EXPECT_NE(grouped.method.find("folds"), std::string::npos);
}

/// The constant is judged as the fit is: by the mean of the other groups.
TEST(GroupedRows, TheErrorOfTheConstantLeavesOutWholeGroups) {
  TrainingData data = sites(7, 4, 8);
  data.weight = Random(2).uniform_vector(data.x.rows(), 0.5, 3);
  SelectionRequest request = request_of("ridge", {"cv"});
  request.chosen_error = true;
  double sum = 0;
  for (int g = 0; g < data.groups.count(); ++g) {
    double total = 0, others = 0;
    for (Index i = 0; i < data.x.rows(); ++i)
      if (data.groups.of_row[static_cast<std::size_t>(i)] != g)
        total += data.weight[i], others += data.weight[i] * data.y(i, 0);
    for (Index i = 0; i < data.x.rows(); ++i)
      if (data.groups.of_row[static_cast<std::size_t>(i)] == g)
        sum += data.weight[i] * std::pow(data.y(i, 0) - others / total, 2);
  }
  const ChosenError found = *select(data, request).targets.front().error;
  EXPECT_NEAR(found.baseline, sum / data.weight.sum(), 1e-12 * found.baseline);
  EXPECT_EQ(found.estimates, "mean squared error on new data, of groups that the fit does not know");
}

TEST(GroupedRows, SharesOfClassesAreThoseOfOtherGroups) {
  TrainingData data = sites(6, 5, 9);
  data.y = Matrix::Zero(30, 2);
  for (Index i = 0; i < 30; ++i) data.y(i, data.x(i, 0) + data.x(i, 1) > 0 ? 1 : 0) = 1;
  data.classes = {"low", "high"};
  data.target_names = {"low", "high"};
  SelectionRequest request = request_of("mlp", {"cv"});
  request.hidden = "0";
  request.restarts = 1;
  request.chosen_error = true;
  double sum = 0;
  for (Index i = 0; i < 30; ++i) {
    double own = 0.5, all = 1;  // half a row added to each class
    for (Index j = 0; j < 30; ++j) {
      if (j / 5 == i / 5) continue;
      all += 1;
      own += data.y.row(i).dot(data.y.row(j));
    }
    sum -= std::log(own / all);
  }
  const ChosenError found = *select(data, request).targets.front().error;
  EXPECT_NEAR(found.baseline, sum / 30, 1e-12 * found.baseline);
}

/// Leave-one-out does not hold out what the error does, so its choice is corrected for, not repeated.
TEST(GroupedRows, AChoiceBySingleRowsStandsInTheDraws) {
  const TrainingData data = sites(12, 5, 10);
  SelectionRequest request = request_of("kernel-ridge", {"loo"});
  request.chosen_error = true;
  const TargetSelection found = select(data, request).targets.front();
  EXPECT_NE(found.error->method.find("corrected for the choice by resampled groups"), std::string::npos)
      << found.error->method;
  request.criteria = {"cv"};
  const std::string by_groups = select(data, request).targets.front().error->method;
  EXPECT_NE(by_groups.find("the choice repeated on resampled groups"), std::string::npos) << by_groups;
}

TEST(GroupedRows, FewGroupsAndCriteriaOfSingleRowsAreWarnedOf) {
  const auto warned = [](const TrainingData& data, const std::string& criterion, const std::string& of) {
    const Selection s = select(data, request_of("ridge", {criterion}));
    for (const std::string& w : s.targets.front().warnings)
      if (w.find(of) != std::string::npos) return true;
    return false;
  };
  TrainingData data = sites(9, 5, 11);
  EXPECT_TRUE(warned(data, "cv", "from 9 groups only"));
  EXPECT_FALSE(warned(data, "cv", "takes rows for independent"));
  EXPECT_TRUE(warned(data, "gcv", "gcv takes rows for independent"));
  EXPECT_FALSE(warned(sites(10, 5, 11), "cv", "groups only"));
  data.groups.are_folds = true;  // say nothing of how rows belong together
  EXPECT_FALSE(warned(data, "gcv", "takes rows for independent"));
  EXPECT_FALSE(warned(data, "cv", "groups only"));
}

TEST(GroupedRows, WhatIsHeldOutForTheReportIsAGroup) {
  const TrainingData data = sites(8, 5, 5);
  SelectionRequest request = request_of("kernel-ridge", {"gcv"});
  request.keep_held_out = true;
  const TargetSelection found = select(data, request).targets.front();
  EXPECT_EQ(found.held_out_by, "folds of whole groups");
  EXPECT_EQ(found.held_out.size(), 40);
}

TEST(GroupedRows, RefusalsSayWhy) {
  TrainingData data = sites(6, 5, 6);
  const auto refused = [&](const std::string& criterion) {
    return message_of(data, request_of("ridge", {criterion}));
  };
  EXPECT_EQ(refused("cv-blocked:3"),
            "criterion 'cv-blocked:3' holds out blocks of consecutive rows, not groups; use cv");
  EXPECT_EQ(refused("cv:7"), "criterion 'cv:7' needs at least 7 groups; there are 6");
  EXPECT_EQ(refused("cv:6"), "accepted");
  data.groups.are_folds = true;
  EXPECT_EQ(refused("cv:5"), "criterion 'cv:5' asks for 5 folds, but 6 are given; write cv");
  EXPECT_EQ(
      refused("cv-blocked:3"),
      "criterion 'cv-blocked:3' holds out blocks of consecutive rows, not the folds that are given; use cv");
  SelectionRequest repeats = request_of("ridge", {"cv"});
  repeats.repeats = 3;
  EXPECT_EQ(message_of(data, repeats),
            "`repeats` 3 and given folds cannot go together: there is one way to cut them");
  data.groups.are_folds = false;
  SelectionRequest paired = request_of("ridge", {"cv"});
  paired.rule = "paired";
  EXPECT_EQ(message_of(data, paired),
            "`rule` paired takes rows for independent, which those of a group are not; use `rule` 1se");
  SelectionRequest average = request_of("ridge");
  average.combine = "average";
  EXPECT_EQ(message_of(data, average),
            "`combine` average leaves out one row at a time, not groups or given folds; leave it out");
  data.dependence = 2;
  EXPECT_EQ(refused("cv"), "rows of a series are held out in blocks of their order, not in groups");
  data.dependence = 0;
  data.groups.of_row.assign(30, 0);
  EXPECT_EQ(refused("cv"), "all rows belong to one group, so that none can be held out; give two or more");
  data.groups = {};
  SelectionRequest without = request_of("ridge");
  without.grouped = true;
  EXPECT_EQ(message_of(data, without),
            "rows are to be held out in groups, but none has a group; name one for every row");
}

}  // namespace
}  // namespace gnomon::grouped_rows_test
