#include "gnomon/select/selected.hpp"

#include <gtest/gtest.h>

#include "decompose/decomposition.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/criteria/criteria.hpp"
#include "select/grid.hpp"

namespace gnomon::selected_test {
namespace {

CriterionCurve curve_of(std::initializer_list<double> values, std::initializer_list<double> errors = {}) {
  CriterionCurve curve{
      Vector(static_cast<Index>(values.size())), Vector(static_cast<Index>(errors.size())), {}};
  std::copy(values.begin(), values.end(), curve.value.begin());
  std::copy(errors.begin(), errors.end(), curve.standard_error.begin());
  return curve;
}

const std::vector<double> five{0.01, 0.1, 1, 10, 100};

TEST(Selected, AFailedCandidateNeverWins) {
  const auto best = select_on_grid(five, curve_of({undefined, 3, 2, -HUGE_VAL, undefined}), Rule::minimum);
  ASSERT_TRUE(best);
  EXPECT_EQ(best->lambda, 1);
  EXPECT_FALSE(
      select_on_grid(five, curve_of({undefined, undefined, HUGE_VAL, undefined, undefined}), Rule::minimum));
}

TEST(Selected, EdgesAreFlaggedUnlessTheCurveIsFlatThere) {
  EXPECT_TRUE(select_on_grid(five, curve_of({1, 2, 3, 4, 5}), Rule::minimum)->at_edge);
  EXPECT_TRUE(select_on_grid(five, curve_of({5, 4, 3, 2, 1}), Rule::minimum)->at_edge);
  EXPECT_FALSE(select_on_grid(five, curve_of({5, 4, 1, 2, 3}), Rule::minimum)->at_edge);
  EXPECT_FALSE(select_on_grid(five, curve_of({5, 4, 3, 1 + 1e-9, 1}), Rule::minimum)->at_edge);
}

TEST(Selected, OneStandardErrorTakesTheLargestLambdaInReach) {
  const auto curve = curve_of({5, 2, 1, 1.4, 1.6}, {1, 1, 0.5, 1, 1});
  EXPECT_EQ(select_on_grid(five, curve, Rule::one_standard_error)->lambda, 10);
  EXPECT_THROW(select_on_grid(five, curve_of({1, 2, 3, 4, 5}), Rule::one_standard_error), Error);
}

TEST(Selected, PairedTakesTheLargestLambdaThatIsNotToldFromTheLeast) {
  auto curve = curve_of({5, 2, 1, 1.4, 1.6}, {1, 1, 0.5, 1, 1});
  curve.difference_error = Vector::Zero(5);
  EXPECT_EQ(select_on_grid(five, curve, Rule::paired)->lambda, 1);
  curve.difference_error << 9, 9, 0, 0.3, 0.7;  // the way there need not be within reach
  EXPECT_EQ(select_on_grid(five, curve, Rule::paired)->lambda, 100);
  EXPECT_THROW(select_on_grid(five, curve_of({1, 2, 3, 4, 5}), Rule::paired), Error);
}

TEST(Selected, RefinementFindsTheContinuousMinimum) {
  // (log λ − 0.3)², least at λ = e^0.3.
  const auto evaluate = [](const std::vector<double>& lambdas) {
    CriterionCurve curve{Vector(static_cast<Index>(lambdas.size())), {}, {}};
    for (Index k = 0; k < curve.value.size(); ++k)
      curve.value[k] = std::pow(std::log(lambdas[static_cast<std::size_t>(k)]) - 0.3, 2);
    return curve;
  };
  const auto curve = evaluate(five);
  const auto coarse = *select_on_grid(five, curve, Rule::minimum);
  EXPECT_NEAR(std::log(refine_minimum(coarse, five, evaluate).lambda), 0.3, 1e-4);
  EXPECT_NEAR(std::log(interpolate_minimum(coarse, five, curve).lambda), 0.3, 1e-9);
}

TEST(Grid, ParsesRangesAndLists) {
  const auto range = Values("0.1:10:3").read({"lambda"});
  EXPECT_EQ(range.size(), 3u);
  EXPECT_EQ(range.front(), 0.1);
  EXPECT_NEAR(range[1], 1, 1e-15);
  EXPECT_EQ(range.back(), 10);
  EXPECT_EQ(Values("3, 1,2,1").read({"lambda"}), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(Values("0,1").read({"lambda"}).front(), 0);
}

TEST(Grid, RefusesNonsenseInWords) {
  const auto message = [](std::string_view text) {
    try {
      Values(text).read({"lambda"});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(message("-1").find("must be finite and ≥ 0"), std::string::npos);
  EXPECT_NE(message("nan").find("must be finite"), std::string::npos);
  EXPECT_NE(message("abc").find("is not understood"), std::string::npos);
  EXPECT_NE(message("10:1:5").find("below hi"), std::string::npos);
  EXPECT_NE(message("1:10:1").find("whole number from 2"), std::string::npos);
  EXPECT_NE(message("").find("empty"), std::string::npos);
}

TEST(Grid, AutomaticGridHoldsTheNullModelAndTheInterpolant) {
  Random random(1);
  const Matrix x = random.uniform_vector(40, -3, 3);
  const Vector y = x.array().sin() + 0.1 * random.normal_vector(40).array();
  for (const auto& filter : {tikhonov, coefficient_tikhonov, spectral_cutoff, landweber}) {
    for (const char* kernel : {"gaussian", "laplace"}) {
      const Smoother smoother(x, y, Vector(), {.representation = parse_kernel(kernel, 1), .filter = filter});
      const auto grid = automatic_grid(smoother);
      const auto sums = smoother.sums(grid, 0);
      const Index range = (smoother.spectrum().values.array() >
                           smoother.spectrum().range_tolerance * smoother.spectrum().top())
                              .count();
      EXPECT_LT(sums.back().df - 1, 0.011) << filter.name << kernel;
      EXPECT_GT(sums.front().df - 1, static_cast<double>(range) - 0.5) << filter.name << kernel;
    }
  }
}

TEST(Grid, AutomaticGridOfASingularGramIsAllServedByOneDecomposition) {
  Random random(2);
  constexpr Index n = 60;
  const Matrix x = random.uniform_vector(n, -3, 3);
  const Vector y = x.array().sin() + 0.1 * random.normal_vector(n).array();
  const Smoother smoother(x, y, Vector(),
                          {.representation = parse_kernel("gaussian", 8),
                           .filter = tikhonov,
                           .strategy = Strategy::tridiagonal,
                           .needs = {.leave_one_out = true}});
  const double cheap = smoother.decomposition().least_cheap_lambda();
  EXPECT_GT(cheap, 0);  // a wide kernel: most directions are below rounding
  const auto grid = automatic_grid(smoother);
  EXPECT_GT(grid.front(), cheap);
  EXPECT_LE(grid.front(), 10 * cheap);
}

}  // namespace
}  // namespace gnomon::selected_test
