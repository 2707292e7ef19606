#include "select/outside_reach.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "gnomon/gnomon.hpp"

namespace gnomon::outside_reach_test {
namespace {

TrainingData sinc(Index n, std::uint64_t seed) {
  Random random(seed);
  TrainingData data{Matrix(n, 1), Matrix(n, 1), Vector(), {"y"}};
  for (Index i = 0; i < n; ++i) {
    const double x = random.uniform(-3, 3);
    data.x(i, 0) = x;
    data.y(i, 0) = std::sin(3 * x) / (3 * x) + 0.2 * random.normal();
  }
  return data;
}

bool runs_wild(const Selection& selection) {
  const auto& warnings = selection.targets[0].warnings;
  return std::any_of(warnings.begin(), warnings.end(),
                     [](const std::string& w) { return w.find("runs wild") != std::string::npos; });
}

Selection chosen(const TrainingData& data, SelectionRequest request) {
  request.chosen_error = true;
  return select(data, request);
}

TEST(OutsideReach, OfALinearFitIsATenthOfItsOwn) {
  Random random(3);
  TrainingData data{Matrix(300, 2), Matrix(300, 2), Vector(), {"a", "b"}};  // more rows than are asked
  for (Index j = 0; j < 2; ++j) {
    data.x.col(j) = random.normal_vector(300).array() + 5;
    data.y.col(j) = 2 * data.x.col(j) + random.normal_vector(300);
  }
  SelectionRequest request;
  request.learner = "ridge";
  request.lambda = "1";
  const Selection s = select(data, request);
  const Vector reach = outside_reach(s.model, data);
  const Matrix centre = s.model.predict(data.x.colwise().mean());
  for (Index t = 0; t < 2; ++t) {
    const double range = data.y.col(t).maxCoeff() - data.y.col(t).minCoeff();
    const double furthest =
        (s.targets[static_cast<std::size_t>(t)].fitted.array() - centre(0, t)).abs().maxCoeff();
    EXPECT_NEAR(reach[t], 0.1 * furthest / range, 1e-9);
  }
}

TEST(OutsideReach, RowsWithoutWeightAndConstantTargetsSayNothing) {
  TrainingData data = sinc(40, 1);
  SelectionRequest request;
  request.lambda = "0.01";
  const Model model = select(data, request).model;
  const double before = outside_reach(model, data)[0];
  TrainingData more = data;
  more.x.conservativeResize(41, 1), more.y.conservativeResize(41, 1);
  more.x(40, 0) = 100, more.y(40, 0) = -1000;
  more.weight = Vector::Ones(41);
  more.weight[40] = 0;
  EXPECT_DOUBLE_EQ(outside_reach(model, more)[0], before);
  data.y.setConstant(2);
  EXPECT_EQ(outside_reach(model, data)[0], 0);
}

/// A λ of rounding size leaves the weights of a wide Gaussian kernel to the noise: wild at the ends. The default is not.
TEST(OutsideReach, FiresOnWildFitsAndNotOnTheDefault) {
  int wild = 0, ordinary = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const TrainingData data = sinc(30, 100 + seed);
    SelectionRequest request;
    ordinary += runs_wild(chosen(data, request));
    request.width = "1.5";
    request.lambda = "1e-11";
    wild += runs_wild(chosen(data, request));
  }
  EXPECT_GE(wild, 36);
  EXPECT_LE(ordinary, 2);
}

/// k(i, j) for rows that hold their number, and nothing between them.
struct KernelOfNumbers {
  std::string name = "by number";
  double operator()(std::span<const double> a, std::span<const double> b) const {
    return a[0] != std::floor(a[0]) || b[0] != std::floor(b[0]) ? undefined : a[0] == b[0] ? 2 : 1;
  }
};

TEST(OutsideReach, KernelsOfTwoRowsAreNotAsked) {
  TrainingData data = sinc(30, 1);
  for (Index i = 0; i < 30; ++i) data.x(i, 0) = static_cast<double>(i);
  SelectionRequest request;
  request.kernel = KernelOfNumbers{};
  EXPECT_FALSE(runs_wild(chosen(data, request)));
}

}  // namespace
}  // namespace gnomon::outside_reach_test
