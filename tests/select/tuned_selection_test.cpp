#include <gtest/gtest.h>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/select/selection.hpp"

namespace gnomon::tuned_selection_test {
namespace {

/// y depends on the first two of `inputs` inputs.
TrainingData sparse_data(Index rows, Index inputs, std::uint64_t seed, double noise = 0.5) {
  Random random(seed);
  TrainingData data;
  data.x.resize(rows, inputs);
  for (Index j = 0; j < inputs; ++j) data.x.col(j) = random.normal_vector(rows);
  data.y = 2 + (1.2 * data.x.col(0) - 0.8 * data.x.col(1) + noise * random.normal_vector(rows)).array();
  data.target_names = {"y"};
  return data;
}

SelectionRequest ridge_request(std::string groups, std::vector<std::string> criteria) {
  SelectionRequest request;
  request.learner = "ridge";
  request.groups = std::move(groups);
  request.criteria = std::move(criteria);
  return request;
}

// The promise of --groups: where only some inputs matter, a decay for each predicts better than one for all.
TEST(TunedSelection, GroupedDecaysPredictBetterWhereInputsDiffer) {
  double one = 0, each = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const TrainingData data = sparse_data(40, 15, seed), fresh = sparse_data(1000, 15, 100 + seed, 0);
    const auto error = [&](const SelectionRequest& request) {
      return (select(data, request).model.predict(fresh.x) - fresh.y).squaredNorm() / 1000;
    };
    one += error(ridge_request("all", {"evidence"}));
    each += error(ridge_request("each", {"evidence"}));
  }
  EXPECT_LT(each, 0.7 * one);
}

TEST(TunedSelection, EveryCriterionIsSearchedAndTheFirstOneChooses) {
  const Selection s = select(sparse_data(50, 4, 3), ridge_request("each", {"gcv", "evidence", "loo"}));
  const TargetSelection& t = s.targets.front();
  ASSERT_TRUE(t.search());
  EXPECT_FALSE(t.path());
  const TunedSearch& tuned = *t.search();
  ASSERT_EQ(tuned.criteria.size(), 3u);
  EXPECT_EQ(tuned.chosen, Vector(tuned.criteria[0].search.parameters.array().exp()));
  for (std::size_t k = 0; k < 3; ++k) {
    // No criterion is lower at another's choice than at its own.
    const SearchOutcome& c = tuned.criteria[k];
    EXPECT_EQ(t.criteria()[k], &c);
    EXPECT_EQ(c.selected->value, c.search.value);
    EXPECT_GE(c.curve.value.minCoeff(), c.search.value * (1 - 1e-7));
    EXPECT_GT(c.df, 1);
  }
  EXPECT_EQ(&t.chosen(), &tuned.criteria[0]);
  EXPECT_EQ(tuned.criteria[0].df, t.chosen_df);
  EXPECT_EQ(tuned.points.cols(), 4);
  EXPECT_EQ(tuned.df.size(), tuned.points.rows());
  EXPECT_EQ(t.fitted.size(), 50);
}

TEST(TunedSelection, TheOrderOfColumnsDoesNotMatter) {
  TrainingData data = sparse_data(50, 4, 8), turned = data;
  data.feature_names = {"a", "b", "c", "d"};
  turned.feature_names = {"d", "c", "b", "a"};
  turned.x = data.x.rowwise().reverse();
  const auto of = [](const TrainingData& d) {
    return select(d, ridge_request("each", {"loo"})).targets.front();
  };
  const TargetSelection one = of(data), two = of(turned);
  EXPECT_NEAR(one.chosen().selected->value, two.chosen().selected->value, 1e-8);
  EXPECT_LT((one.fitted - two.fitted).norm(), 1e-3 * one.fitted.norm());
}

TEST(TunedSelection, WhatItCannotServeIsSaid) {
  const auto complaint = [](TrainingData data, SelectionRequest request) -> std::string {
    try {
      select(data, request);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "accepted";
  };
  TrainingData weighted = sparse_data(30, 3, 1);
  weighted.weight = Vector::Ones(30);
  EXPECT_NE(complaint(weighted, ridge_request("each", {"loo"})).find("row weights"), std::string::npos);
  SelectionRequest cutoff;
  cutoff.learner = "spectral-cutoff";
  cutoff.search = Search::gradient;
  EXPECT_NE(complaint(sparse_data(30, 3, 1), cutoff).find("ridge, kernel-ridge and mlp"), std::string::npos);
  EXPECT_NE(complaint(sparse_data(5, 3, 1), ridge_request("each", {"cv:7"})).find("at least 7 rows"),
            std::string::npos);
}

}  // namespace
}  // namespace gnomon::tuned_selection_test
