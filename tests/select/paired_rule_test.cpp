#include <gtest/gtest.h>

#include <cmath>

#include "gnomon/gnomon.hpp"

namespace gnomon::paired_rule_test {
namespace {

const std::vector<double> grid{0.01, 0.1, 1, 3, 10, 30, 100, 300, 1000};

TrainingData made_up(std::uint64_t stream) {
  Random random(11, stream);
  TrainingData data{Matrix(40, 3), Matrix(40, 1), {}, {"y"}};
  for (double& entry : data.x.reshaped()) entry = random.normal();
  data.weight = Vector::Ones(40);
  for (Index i = 0; i < 40; ++i) {
    data.y(i, 0) = data.x(i, 0) + 0.4 * data.x(i, 1) + 1.5 * random.normal();
    data.weight[i] = i % 7 == 0 ? 2 : 1;
  }
  return data;
}

/// Every row's squared error by a ridge fit without the rows of its fold.
Vector refitted_squares(const TrainingData& data, const Folds& folds, double lambda) {
  Vector squares(data.y.rows());
  for (int f = 0; f < folds.count; ++f) {
    std::vector<Index> train, held;
    for (Index i = 0; i < data.y.rows(); ++i)
      (folds.of_row[static_cast<std::size_t>(i)] == f ? held : train).push_back(i);
    const Matrix x = data.x(train, Eigen::all), y = data.y(train, Eigen::all);
    const Smoother fit(x, y, Vector(data.weight(train)),
                       {.representation = Basis::fit("linear", x), .filter = tikhonov});
    const Matrix predicted = fit.fit({&lambda, 1}).predict(Matrix(data.x(held, Eigen::all)));
    for (std::size_t i = 0; i < held.size(); ++i)
      squares[held[i]] = std::pow(data.y(held[i], 0) - predicted(static_cast<Index>(i), 0), 2);
  }
  return squares;
}

double error_of_mean(const Vector& values, const Vector& weight) {
  const double n = static_cast<double>(values.size()), mean = weight.dot(values) / weight.sum();
  return (weight.array() * (values.array() - mean)).matrix().norm() / weight.sum() * std::sqrt(n / (n - 1));
}

TEST(PairedRule, GoesByTheDifferencesOfRefits) {
  int moved = 0;
  for (std::uint64_t stream = 0; stream < 6; ++stream) {
    const TrainingData data = made_up(stream);
    const Selection selection = select(data, {.learner = "ridge",
                                              .lambda = grid,
                                              .criteria = {"cv:5"},
                                              .search = Search::grid,
                                              .rule = Rule::paired,
                                              .seed = stream});
    const PathOutcome& chosen = selection.targets[0].path()->chosen();
    Index least = 0;
    chosen.curve.value.minCoeff(&least);
    const Folds folds = random_folds(40, 5, stream);
    const Vector best = refitted_squares(data, folds, grid[static_cast<std::size_t>(least)]);
    Index wanted = least;
    for (Index k = 0; k < chosen.curve.value.size(); ++k) {
      const Vector own = refitted_squares(data, folds, grid[static_cast<std::size_t>(k)]);
      const double error = error_of_mean(own - best, data.weight);
      EXPECT_NEAR(chosen.curve.difference_error[k], error, 1e-9 * (1 + error)) << stream << " " << k;
      if (k > wanted && chosen.curve.value[k] - chosen.curve.value[least] <= error) wanted = k;
    }
    EXPECT_EQ(chosen.lambda, grid[static_cast<std::size_t>(wanted)]) << stream;
    moved += wanted > least;
  }
  EXPECT_GT(moved, 0);
}

TEST(PairedRule, LeavesOneOutWhereNoCriterionIsNamed) {
  TrainingData data = made_up(9);
  data.weight = Vector();  // with weights it is cv
  const Selection selection = select(data, {.learner = "ridge", .lambda = grid, .rule = Rule::paired});
  const PathOutcome& chosen = selection.targets[0].path()->chosen();
  EXPECT_EQ(chosen.label, "loo");
  EXPECT_EQ(chosen.curve.difference_error.size(), chosen.curve.value.size());
}

TEST(PairedRule, NeedsDifferencesWithAStandardError) {
  EXPECT_THROW(select(made_up(1), {.learner = "ridge", .criteria = {"gcv"}, .rule = Rule::paired}), Error);
}

}  // namespace
}  // namespace gnomon::paired_rule_test
