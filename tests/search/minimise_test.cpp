#include "gnomon/search/minimise.hpp"
#include "reference/by_name.hpp"
#include "reference/fper.hpp"
#include "reference/gpe.hpp"

#include <gtest/gtest.h>

#include "../learn/linear_problem.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::reference::minimise_test {
namespace {

SearchOptions box(Index n, double lower, double upper) {
  SearchOptions options;
  options.lower = Vector::Constant(n, lower);
  options.upper = Vector::Constant(n, upper);
  return options;
}

TEST(MinimiseLogParameters, FindsTheCornerOfAQuadratic) {
  const Vector centre{{1, 9, -9, 0.5}};
  const LogObjective bowl = [&](const Vector& t) {
    return HyperEstimate{1 + (t - centre).squaredNorm() + 0.5 * (t[0] - 1) * (t[3] - 0.5),
                         2 * (t - centre) + 0.5 * Vector{{t[3] - 0.5, 0, 0, t[0] - 1}}, ""};
  };
  const SearchResult r = minimise_log_parameters(bowl, {Vector::Zero(4)}, box(4, -3, 4));
  EXPECT_TRUE(r.converged);
  EXPECT_LE((r.parameters - Vector{{1, 4, -3, 0.5}}).norm(), 1e-4);
  EXPECT_EQ(r.verdicts[1], Verdict::dropped);
  EXPECT_EQ(r.verdicts[2], Verdict::unregularized);
  EXPECT_NE(r.status.find("dropped: 1"), std::string::npos);
  EXPECT_NE(r.status.find("not regularized: 2"), std::string::npos);
  for (std::size_t i = 1; i < r.trace.size(); ++i) {
    EXPECT_LE((r.trace[i].parameters - r.trace[i - 1].parameters).cwiseAbs().maxCoeff(), 2 + 1e-12);
  }
}

// A parameter that is left at its bound changes what is best for the others.
TEST(MinimiseLogParameters, GoesOnAfterAParameterWasLeftAtItsBound) {
  const LogObjective objective = [](const Vector& t) {
    const bool dropped = t[0] >= 5;
    const double off = t[1] - (dropped ? 1.3 : 1.0);
    return HyperEstimate{off * off + (dropped ? 1.5 : 2.0), Vector{{0, 2 * off}}, ""};
  };
  const SearchResult r = minimise_log_parameters(objective, {Vector::Zero(2)}, box(2, -5, 5));
  EXPECT_EQ(r.verdicts[0], Verdict::dropped);
  EXPECT_NEAR(r.value, 1.5, 1e-9) << r.status;
  EXPECT_TRUE(r.converged) << r.status;
}

// A cliff with a slope towards it: no step gains anything, yet nothing is stationary.
TEST(MinimiseLogParameters, DoesNotCallACliffConverged) {
  const LogObjective cliff = [](const Vector& t) {
    return HyperEstimate{t[0] < 1 ? 10 - t[0] : 20 - t[0], Vector::Constant(1, -1), ""};
  };
  const SearchResult r = minimise_log_parameters(cliff, {Vector::Zero(1)}, box(1, -3, 3));
  EXPECT_NEAR(r.value, 9, 1e-3);
  EXPECT_FALSE(r.converged) << r.status;
  EXPECT_NE(r.status.find("gradient still"), std::string::npos);
}

TEST(MinimiseLogParameters, KeepsTheBestOfItsStartsAndSurvivesUndefinedPoints) {
  // Two wells at ±2, the right one deeper; undefined beyond 3.
  const LogObjective wells = [](const Vector& t) {
    const double x = t[0];
    if (x > 3) return HyperEstimate{undefined, Vector::Zero(1), ""};
    return HyperEstimate{(x * x - 4) * (x * x - 4) - x + 10, Vector::Constant(1, 4 * x * (x * x - 4) - 1),
                         ""};
  };
  const SearchResult r =
      minimise_log_parameters(wells, {Vector::Constant(1, -2.5), Vector::Constant(1, 2.9)}, box(1, -5, 5));
  EXPECT_NEAR(r.parameters[0], 2.03, 0.01);
  EXPECT_EQ(r.value_of_start.size(), 2u);
  EXPECT_LT(r.value_of_start[1], r.value_of_start[0]);
  EXPECT_THROW(minimise_log_parameters(wells, {Vector::Constant(1, 4)}, box(1, -5, 5)), Error);
}

/// 20 groups of two inputs, ten of them irrelevant.
GroupedRidge twenty_groups(std::uint64_t draw = 0) {
  const Matrix x = testing::normal_matrix(150, 40, 21 + 100 * draw);
  Vector w = Vector::Zero(40);
  for (Index i = 0; i < 20; ++i) w[i] = (i % 2 ? -1 : 1) * (0.3 + 0.1 * static_cast<double>(i % 7));
  std::vector<int> groups(40);
  for (std::size_t i = 0; i < 40; ++i) groups[i] = static_cast<int>(i / 2);
  return {x, x * w + 1.5 * testing::normal_matrix(150, 1, 22 + 100 * draw), GroupedPenalty::decay(groups)};
}

TEST(MinimiseLogParameters, TwentyDecaysBeatTenThousandRandomPoints) {
  const GroupedRidge ridge = twenty_groups();
  const double lower = std::log(1e-6), upper = std::log(1e6);
  const LogObjective objective = [&](const Vector& t) {
    return gcv(ridge_counted(ridge, t.array().exp(), true, false));
  };
  const SearchResult r =
      minimise_log_parameters(objective, {Vector::Constant(20, -1)}, box(20, lower, upper));
  Random random(5);
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 10000; ++i) {
    const Vector kappa = random.uniform_vector(20, lower, upper).array().exp();
    best = std::min(best, gcv(ridge_counted(ridge, kappa, false, false)).value);
  }
  EXPECT_LE(r.value, best);
  EXPECT_LE(r.evaluations, 200) << r.status;
}

// The evidence of a group of two useless weights is highest at κ = ∞ where their squared z-scores average below 1, about
// P(χ²₂/2 < 1) = 1 − 1/e of the time: 31.6 ± 3.4 of 50 groups. The others keep a weight that noise alone asks for.
TEST(MinimiseLogParameters, IrrelevantGroupsAreFound) {
  int dropped = 0, useful_dropped = 0;
  for (std::uint64_t draw = 0; draw < 5; ++draw) {
    const GroupedRidge ridge = twenty_groups(draw);
    const LogObjective objective = [&](const Vector& t) {
      return profiled_evidence(ridge.evidence(t.array().exp()));
    };
    const SearchResult r = minimise_log_parameters(
        objective, {Vector::Constant(20, -1), Vector::Constant(20, -4)}, box(20, -14, 14));
    for (Index g = 0; g < 20; ++g) {
      const bool gone = r.verdicts[static_cast<std::size_t>(g)] == Verdict::dropped;
      (g < 10 ? useful_dropped : dropped) += gone;
      // A group that was kept must be worth keeping, a dropped one worth nothing at any κ.
      Vector changed = r.parameters;
      for (double theta = gone ? -14 : 14; theta <= 14; theta += 0.5) {
        changed[g] = theta;
        EXPECT_GE(objective(changed).value, r.value - 1e-4)
            << "draw " << draw << ", group " << g << " at " << theta;
      }
    }
    const Vector gamma = ridge.gamma(r.parameters.array().exp());
    EXPECT_GT(gamma.head(10).sum(), 2 * gamma.tail(10).sum()) << "draw " << draw;
  }
  EXPECT_GE(dropped, 20);
  EXPECT_LE(dropped, 43);
  EXPECT_LT(useful_dropped, 5);  // the weakest have z-scores of 2 to 3: noise can cancel them
}

TEST(MinimiseLogParameters, LeavesAPlateauItStartsOn) {
  const GroupedRidge ridge = twenty_groups();
  const LogObjective objective = [&](const Vector& t) {
    return profiled_evidence(ridge.evidence(t.array().exp()));
  };
  const double inside =
      minimise_log_parameters(objective, {Vector::Constant(20, -1)}, box(20, -18, 18)).value;
  const SearchResult r = minimise_log_parameters(objective, {Vector::Constant(20, 18)}, box(20, -18, 18));
  EXPECT_NEAR(r.value, inside, 1e-3 * std::abs(inside)) << r.status;
}

}  // namespace
}  // namespace gnomon::reference::minimise_test
