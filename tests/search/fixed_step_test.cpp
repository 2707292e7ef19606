#include "reference/fixed_step.hpp"
#include "reference/by_name.hpp"

#include <gtest/gtest.h>

#include "../learn/linear_problem.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::reference::fixed_step_test {
namespace {

LogObjective leave_one_out(const GroupedRidge& ridge) {
  return [&ridge](const Vector& theta) { return ridge_loo(ridge, theta.array().exp()); };
}

SearchResult by_logarithms(const GroupedRidge& ridge) {
  SearchOptions options;
  options.lower = Vector::Constant(1, -25), options.upper = Vector::Constant(1, 15);
  return minimise_log_parameters(leave_one_out(ridge), {Vector::Constant(1, -1)}, options);
}

TEST(FixedStep, FindsTheMinimumWhereTheSpreadIsLow) {
  const Matrix x = testing::normal_matrix(40, 10, 3);
  const GroupedRidge ridge(x, testing::targets(x, 1, 4, 2), GroupedPenalty::decay(std::vector<int>(10, 0)));
  const SearchResult r =
      descend_with_fixed_step(leave_one_out(ridge), Vector::Constant(1, 1), {.step = 0.05});
  EXPECT_TRUE(r.converged) << r.status;
  EXPECT_NEAR(r.parameters[0], by_logarithms(ridge).parameters[0], 1e-3);
}

// One η for eigenvalues over many decades: steps that are safe for the large ones never reach the small ones.
TEST(FixedStep, SaysThatItDidNotConvergeWhereTheSpreadIsHigh) {
  Matrix x = testing::normal_matrix(40, 10, 5);
  for (Index j = 0; j < 10; ++j) x.col(j) *= std::pow(10.0, -0.4 * static_cast<double>(j));
  const Vector y = 300 * x.col(6) + testing::normal_matrix(40, 1, 6);
  const GroupedRidge ridge(x, y, GroupedPenalty::decay(std::vector<int>(10, 0)));
  const SearchResult r = descend_with_fixed_step(leave_one_out(ridge), Vector::Constant(1, 0.1),
                                                 {.step = 1e-3, .max_steps = 2000});
  EXPECT_FALSE(r.converged);
  EXPECT_NE(r.status.find("not converged after 2000 steps"), std::string::npos) << r.status;
  EXPECT_GT(r.value, by_logarithms(ridge).value);
}

TEST(FixedStep, StopsAtZeroAndRefusesNonsense) {
  const Matrix x = testing::normal_matrix(20, 2, 7);
  const GroupedRidge ridge(x, x * Vector{{1, 2}}, GroupedPenalty::decay({0, 0}));
  const SearchResult r =
      descend_with_fixed_step(leave_one_out(ridge), Vector::Constant(1, 0.5), {.step = 0.5});
  EXPECT_EQ(r.verdicts.front(), Verdict::unregularized) << r.status;
  EXPECT_THROW(descend_with_fixed_step(leave_one_out(ridge), Vector::Constant(1, 0.5), {.step = 0}), Error);
}

}  // namespace
}  // namespace gnomon::reference::fixed_step_test
