#include "gnomon/compare/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "compare/noise_families.hpp"
#include "compare/trial_table.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/select/selection.hpp"
#include "select/candidates.hpp"

namespace gnomon::simulation_test {
namespace {

using compare::Simulation;
using compare::Trial;

TrainingData sample(Index rows, Index inputs, std::uint64_t seed = 3) {
  Random random(seed);
  TrainingData data;
  data.x = Matrix(rows, inputs);
  for (Index j = 0; j < inputs; ++j) data.x.col(j) = random.uniform_vector(rows, -2, 2);
  data.y = Vector((1.5 * data.x.col(0)).array().sin().matrix() + 0.3 * data.x.rowwise().sum() +
                  0.3 * random.normal_vector(rows));
  data.target_names = {"y"};
  return data;
}

std::vector<Index> others(Index rows, const std::vector<Index>& test) {
  std::vector<Index> out;
  for (Index i = 0; i < rows; ++i)
    if (std::find(test.begin(), test.end(), i) == test.end()) out.push_back(i);
  return out;
}

class SpectralError : public ::testing::TestWithParam<std::tuple<const char*, bool>> {};

TEST_P(SpectralError, IsThatOfARefit) {
  const auto& [learner, intercept] = GetParam();
  const TrainingData data = sample(40, 2);
  SelectionRequest request{.learner = learner};
  request.intercept = intercept;
  if (request.learner->inputs == Inputs::kernel) request.width = 1.4;  // the same on all rows and on a part
  const Simulation simulation(data, request);
  for (const Index index : {0, 16, 35}) {
    const Vector truth = simulation.world().truths[static_cast<std::size_t>(index % 3)].values;
    const auto test = simulation.test_rows(index), train = others(40, test);
    TrainingData own = data;
    own.x = data.x(train, Eigen::all);
    own.y = simulation.targets(index)(train);
    const auto candidates = make_candidates(own, request, metric_of(request, own), {});
    const compare::PathErrors fast = simulation.true_errors(index);
    const auto lambdas = simulation.lambdas();
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      const Fit fit = candidates.front().learner->fit_at(points_of({&lambdas[k], 1}));
      const double seen =
          (fit.fitted.col(0) - truth(train)).squaredNorm() / static_cast<double>(train.size());
      const double fresh = (fit.model.predict(data.x(test, Eigen::all)).col(0) - truth(test)).squaredNorm() /
                           static_cast<double>(test.size());
      // Both go through coefficients of the size y/λ away from the rows, the refit at the rows too: rounding grows as ε·n/λ.
      const double rounding = 1e-10 + 1e-14 * 40 / lambdas[k];
      EXPECT_NEAR(fast.at_training[static_cast<Index>(k)], seen, rounding * (1 + seen))
          << learner << " " << lambdas[k];
      EXPECT_NEAR(fast.at_new[static_cast<Index>(k)], fresh, rounding * (1 + fresh))
          << learner << " " << lambdas[k];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Learners, SpectralError,
                         ::testing::Combine(::testing::Values("kernel-ridge", "ridge", "spectral-cutoff",
                                                              "landweber"),
                                            ::testing::Bool()));

TEST(Simulation, ChoicesLieOnThePath) {
  const Simulation simulation(sample(40, 2), {});
  const auto lambdas = simulation.lambdas();
  for (Index i = 0; i < simulation.combinations(); ++i) {
    const Trial trial = simulation.trial(i);
    const Vector errors = simulation.true_errors(i).at_new;
    EXPECT_DOUBLE_EQ(trial.least, errors.minCoeff());
    EXPECT_DOUBLE_EQ(trial.unregularized, errors[0]);
    ASSERT_EQ(trial.choices.size(), simulation.criteria().size());
    for (const auto& choice : trial.choices) {
      if (std::isnan(choice.error)) continue;
      EXPECT_GE(choice.error / trial.least, 1);
      const auto at = std::find(lambdas.begin(), lambdas.end(), choice.lambda);
      ASSERT_NE(at, lambdas.end());
      EXPECT_DOUBLE_EQ(choice.error, errors[at - lambdas.begin()]);
    }
  }
}

TEST(Simulation, ChoosesAsSelectDoes) {
  const TrainingData data = sample(40, 2);
  const std::vector<std::string> criteria{"loo", "gcv", "evidence", "cp"};
  const Simulation simulation(data, {.width = 1.4, .criteria = criteria});
  for (const Index index : {0, 17}) {
    const auto train = others(40, simulation.test_rows(index));
    EXPECT_EQ(train.size(), 32u);
    TrainingData own = data;
    own.x = data.x(train, Eigen::all);
    own.y = simulation.targets(index)(train);
    const Selection selection = select(
        own, {.width = 1.4, .lambda = simulation.lambdas(), .criteria = criteria, .search = Search::grid});
    const Trial trial = simulation.trial(index);
    for (std::size_t c = 0; c < criteria.size(); ++c)
      EXPECT_NEAR(std::log(trial.choices[c].lambda),
                  std::log(selection.targets.front().path()->criteria[c].lambda), 1e-12);
  }
}

TEST(Simulation, IsAFunctionOfSeedAndIndex) {
  const TrainingData data = sample(30, 2);
  SelectionRequest request;
  request.criteria = {"loo", "gcv", "cv:5"};
  request.seed = 7;
  const Simulation one(data, request), again(data, request);
  EXPECT_EQ(one.targets(9), again.targets(9));
  Vector alone;
  {
    const BlasThreads single(1);
    for (const Index i : {3, 1}) one.trial(i);
    alone = compare::to_numbers(one.trial(9));
  }
  std::vector<Vector> together(12);
  parallel_for(12,
               [&](Index i) { together[static_cast<std::size_t>(i)] = compare::to_numbers(again.trial(i)); });
  for (Index j = 0; j < alone.size(); ++j)
    EXPECT_TRUE(alone[j] == together[9][j] || (std::isnan(alone[j]) && std::isnan(together[9][j]))) << j;
  request.seed = 8;
  EXPECT_NE(Simulation(data, request).targets(9), one.targets(9));
}

TEST(Simulation, TruthsAreSmootherAndRougher) {
  const Simulation simulation(sample(60, 1), {});
  const auto& truths = simulation.world().truths;
  ASSERT_EQ(truths.size(), 3u);
  EXPECT_GT(truths[1].lambda, truths[0].lambda);
  EXPECT_LT(truths[2].lambda, truths[0].lambda);
  // The intercept apart; the path has five points to a decade.
  EXPECT_NEAR((truths[1].df - 1) / (truths[0].df - 1), 0.5, 0.15);
  EXPECT_NEAR((truths[2].df - 1) / (truths[0].df - 1), 2, 0.5);
  EXPECT_NEAR(simulation.world().residuals.squaredNorm() / 60, simulation.world().sigma2, 1e-12);
}

TEST(Simulation, EveryNoiseHasTheVariance) {
  compare::World world;
  world.sigma2 = 0.7;
  world.residuals = Vector::LinSpaced(200, -1, 1);
  world.residuals *= std::sqrt(0.7 * 200 / world.residuals.squaredNorm());
  const Vector truth = Vector::LinSpaced(2000, 5, 9);
  EXPECT_NEAR(compare::growing_deviations(truth, 0.7).squaredNorm() / 2000, 0.7, 1e-12);
  EXPECT_NEAR(compare::growing_deviations(truth, 0.7)[1999] / compare::growing_deviations(truth, 0.7)[0], 5,
              1e-12);
  for (const auto& family : compare::noise_families()) {
    double sum = 0, square = 0;
    const int draws = 50;
    for (int r = 0; r < draws; ++r) {
      Random random(1, static_cast<std::uint64_t>(r));
      const Vector noise = family.draw(world, truth, random);
      sum += noise.mean() / draws;
      square += noise.squaredNorm() / 2000 / draws;
    }
    // 10⁵ draws; the fourth moment of t₃ is infinite, so its second one settles slowly.
    EXPECT_NEAR(sum, 0, 0.01) << family.name;
    EXPECT_NEAR(square, 0.7, family.name == "heavy-tailed" ? 0.15 : 0.02) << family.name;
  }
}

/// With the variance known cp, sure and sic are unbiased at a fixed λ: the curves of estimate and truth agree within the
/// Monte-Carlo error, the constant that sic leaves out included.
TEST(Simulation, EstimatesAreUnbiasedAlongThePath) {
  for (const bool intercept : {true, false}) {
    SelectionRequest request;
    request.criteria = {"cp", "sure", "sic"};
    request.noise = 0.09;
    request.intercept = intercept;
    const Simulation simulation(sample(40, 2), request);
    const Index count = 360;
    const auto points = static_cast<Index>(simulation.shown_lambdas().size());
    std::vector<Matrix> gaps(3, Matrix(count, points));
    for (Index i = 0; i < count; ++i) {
      const Trial trial = simulation.trial(i);
      for (Index c = 0; c < 3; ++c)
        gaps[static_cast<std::size_t>(c)].row(i) =
            (trial.curves.col(1 + c) - trial.curves.col(0)).transpose();
    }
    for (const Matrix& gap : gaps) {
      for (Index k = 0; k < points; ++k) {
        const double mean = gap.col(k).mean();
        const double se = std::sqrt((gap.col(k).array() - mean).square().sum() / (count - 1.0) / count);
        EXPECT_LT(std::abs(mean), 4 * se) << k << " " << intercept;
      }
    }
  }
}

TEST(Simulation, SolvesOtherLearnersAnew) {
  const Simulation simulation(sample(30, 3), {.learner = "lasso"});
  const Trial trial = simulation.trial(0);
  EXPECT_TRUE(std::isfinite(trial.least));
  EXPECT_EQ(simulation.criteria().front(), "cv");
  const Vector errors = simulation.true_errors(0).at_new;
  EXPECT_NEAR(trial.least, errors.minCoeff(), 1e-9 * errors.maxCoeff());
  for (const auto& choice : trial.choices) EXPECT_FALSE(choice.error < trial.least);
}

TEST(Simulation, RefusesWhatHasNoPath) {
  EXPECT_THROW(Simulation(sample(30, 2), {.learner = "mlp"}), Error);
  TrainingData two = sample(30, 2);
  two.y = Matrix(30, 2);
  two.y.setRandom();
  two.target_names = {"a", "b"};
  EXPECT_THROW(Simulation(two, {}), Error);
}

}  // namespace
}  // namespace gnomon::simulation_test
