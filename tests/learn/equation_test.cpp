// The equation of a linear model in the units of its columns says what the model predicts.
#include "learn/equation.hpp"

#include <gtest/gtest.h>

#include "gnomon/core/random.hpp"
#include "gnomon/select/selection.hpp"

namespace gnomon::equation_test {
namespace {

struct Rows {
  Matrix x;
  TrainingData scaled;
  Scaling scaling;

  Rows() : x(40, 3) {
    Random random(3);
    for (Index j = 0; j < 3; ++j) x.col(j) = 10.0 * (j + 1) * random.normal_vector(40).array() + 100.0 * j;
    const Vector y = (0.3 * x.col(0) - 0.02 * x.col(1)).array() + 5 + random.normal_vector(40).array();
    scaling = Scaling::fit(x, Vector(), Scale::standard);
    scaled.x = x;
    scaling.apply(scaled.x);
    scaled.y = y;
    scaled.target_names = {"y"};
    scaled.feature_names = {"a", "b", "c"};
  }
};

void expect_equation(const SelectionRequest& request) {
  const Rows rows;
  const Selection found = select(rows.scaled, request);
  const auto equation = linear_equation(found.model, rows.scaling, 0);
  ASSERT_TRUE(equation);
  const Vector by_equation = (rows.x * equation->coefficients).array() + equation->offset;
  const Vector predicted = found.model.predict(rows.scaled.x).col(0);
  EXPECT_LT((by_equation - predicted).cwiseAbs().maxCoeff(), 1e-10 * predicted.cwiseAbs().maxCoeff());
}

SelectionRequest with(std::string_view learner) {
  SelectionRequest request;
  request.learner = learner;
  return request;
}

TEST(Equation, OfEveryLearnerOnTheLinearBasis) {
  for (const char* learner : {"ridge", "lasso", "elastic-net", "huber"}) {
    SCOPED_TRACE(learner);
    expect_equation(with(learner));
  }
}

TEST(Equation, OfSomeColumns) {
  SelectionRequest request = with("ridge");
  request.subsets = "b;c;b,c";  // a, which matters, is in none of them
  expect_equation(request);
  const Rows rows;
  const auto equation = linear_equation(select(rows.scaled, request).model, rows.scaling, 0);
  ASSERT_EQ(equation->coefficients.size(), 3);
  EXPECT_EQ(equation->coefficients[0], 0);
}

TEST(Equation, OfDecayGroups) {
  SelectionRequest request = with("ridge");
  request.groups = "each";
  expect_equation(request);
}

TEST(Equation, OfTheLinearKernel) {
  SelectionRequest request = with("kernel-ridge");
  request.kernel = "linear";
  expect_equation(request);
}

TEST(Equation, OfANetworkWithoutHiddenUnits) {
  SelectionRequest request = with("mlp");
  request.hidden = "0";
  expect_equation(request);
}

TEST(Equation, CurvedFunctionsHaveNone) {
  const Rows rows;
  EXPECT_FALSE(linear_equation(select(rows.scaled, with("kernel-ridge")).model, rows.scaling, 0));
  SelectionRequest request = with("ridge");
  request.basis = "polynomial:2";
  EXPECT_FALSE(linear_equation(select(rows.scaled, request).model, rows.scaling, 0));
}

}  // namespace
}  // namespace gnomon::equation_test
