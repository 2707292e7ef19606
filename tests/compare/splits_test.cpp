#include "compare/splits.hpp"

#include <gtest/gtest.h>

#include <set>

#include "gnomon/core/random.hpp"
#include "gnomon/select/selection.hpp"

namespace gnomon::splits_test {
namespace {

TrainingData sample(Index rows) {
  Random random(5);
  TrainingData data;
  data.x = Matrix(rows, 2);
  data.x << random.uniform_vector(rows, -2, 2), random.uniform_vector(rows, 0, 9);
  data.y = Vector(data.x.col(0).array().sin().matrix() + 0.2 * random.normal_vector(rows));
  data.target_names = {"y"};
  return data;
}

TEST(Splits, EveryRowIsOnOneSide) {
  const auto split = compare::random_split(43, 1, 6);
  EXPECT_EQ(split.test.size(), 8u);
  std::set<Index> all(split.train.begin(), split.train.end());
  all.insert(split.test.begin(), split.test.end());
  EXPECT_EQ(all.size(), 43u);
  EXPECT_EQ(split.train.size() + split.test.size(), 43u);
  EXPECT_NE(compare::random_split(43, 1, 7).test, split.test);
  EXPECT_EQ(compare::random_split(43, 1, 6).test, split.test);
}

TEST(Splits, ErrorsAreThoseOfARefitWithoutTheTestRows) {
  for (const bool counted : {false, true}) {
    TrainingData data = sample(40);
    if (counted) data.weight = Vector::LinSpaced(40, 0.5, 3);
    SelectionRequest request{.learner = "ridge", .criteria = {"loo", "gcv"}, .search = Search::grid};
    const auto trial = compare::split_trial(data, request, Scale::standard, 2);
    const auto own = compare::split_data(data, compare::random_split(40, request.seed, 2), Scale::standard);
    const Vector ones = Vector::Ones(32), weight = counted ? own.training.weight : ones;
    EXPECT_NEAR(weight.dot(own.training.x.col(1)), 0, 1e-10);
    for (std::size_t c = 0; c < 2; ++c) {
      request.criteria = {c == 0 ? "loo" : "gcv"};
      const Vector gap = own.test.y.col(0) - select(own.training, request).model.predict(own.test.x).col(0);
      const double error =
          counted ? own.test.weight.dot(gap.cwiseAbs2()) / own.test.weight.sum() : gap.squaredNorm() / 8;
      EXPECT_NEAR(trial.choices[c].error, error, 1e-10 * error);
      EXPECT_NEAR(compare::split_error(data, request, Scale::standard, 2), error, 1e-10 * error);
      EXPECT_GE(trial.choices[c].error, trial.least);
    }
  }
}

TEST(Splits, SearchesOverSeveralParameters) {
  const TrainingData data = sample(40);
  SelectionRequest request{.learner = "ridge", .criteria = {"loo", "evidence"}};
  request.groups = "each";
  const auto trial = compare::split_trial(data, request, Scale::standard, 1);
  for (std::size_t c = 0; c < 2; ++c) {
    request.criteria = {c == 0 ? "loo" : "evidence"};
    // Alone a criterion has fewer starts; on so few rows all of them lead to one minimum.
    const double error = compare::split_error(data, request, Scale::standard, 1);
    EXPECT_NEAR(trial.choices[c].error, error, 1e-4 * error);
  }
}

}  // namespace
}  // namespace gnomon::splits_test
