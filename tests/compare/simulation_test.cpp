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

double mean_square(const Vector& v, const Vector& weight) { return weight.dot(v.cwiseAbs2()) / weight.sum(); }

class SpectralError : public ::testing::TestWithParam<std::tuple<const char*, bool, bool>> {};

TEST_P(SpectralError, IsThatOfARefit) {
  const auto& [learner, intercept, counted] = GetParam();
  TrainingData data = sample(40, 2);
  Vector weight = Vector::Ones(40);
  if (counted) {
    for (Index i = 0; i < 40; ++i) weight[i] = static_cast<double>(1 + i % 3);
    data.weight = weight;
  }
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
    if (counted) own.weight = weight(train);
    const auto candidates = make_candidates(own, request, metric_of(request, own), {});
    const compare::PathErrors fast = simulation.true_errors(index);
    const auto lambdas = simulation.lambdas();
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      const Fit fit = candidates.front().learner->fit_at(points_of({&lambdas[k], 1}));
      const double seen = mean_square(fit.fitted.col(0) - truth(train), weight(train));
      const double fresh =
          mean_square(fit.model.predict(data.x(test, Eigen::all)).col(0) - truth(test), weight(test));
      // Both go through coefficients of the size y/λ away from the rows, the refit at the rows too: rounding grows as ε·n/λ.
      const double rounding = 1e-10 + 1e-14 * weight.sum() / lambdas[k];
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
                                            ::testing::Bool(), ::testing::Bool()));

TEST(Simulation, UnitWeightsChangeNothing) {
  TrainingData data = sample(40, 2);
  const Simulation plain(data, {});
  data.weight = Vector::Ones(40);
  const Simulation counted(data, {});
  const Trial a = plain.trial(4), b = counted.trial(4);
  for (std::size_t c = 0; c < a.choices.size(); ++c) {
    EXPECT_NEAR(a.choices[c].error, b.choices[c].error, 1e-10);
    EXPECT_EQ(std::isnan(a.choices[c].gap), std::isnan(b.choices[c].gap));
    if (!std::isnan(a.choices[c].gap)) {
      EXPECT_NEAR(a.choices[c].gap, b.choices[c].gap, 1e-10);
    }
  }
}

/// A row counted w times stands for the mean of w observations.
TEST(Simulation, NoiseOfCountedRows) {
  TrainingData data = sample(40, 2);
  data.weight = Vector::Constant(40, 4);
  data.weight.head(20).setOnes();
  const Simulation simulation(data, {.noise = 0.3});
  double once = 0, four = 0;
  const Index count = 480;
  for (Index i = 0; i < count; ++i) {
    if (simulation.noise_name(i) != "gaussian") continue;
    const Vector noise =
        simulation.targets(i) - simulation.world().truths[static_cast<std::size_t>(i % 3)].values;
    once += noise.head(20).squaredNorm();
    four += noise.tail(20).squaredNorm();
  }
  EXPECT_NEAR(four / once, 0.25, 0.04);  // 2400 draws each: a standard error of 0.01
}

/// Under a shift fits are judged where the test rows are: by density ratios at the rows left out, or at the test inputs.
TEST(Simulation, JudgesWhereTheTestRowsAre) {
  for (const bool inputs : {false, true}) {
    TrainingData data = sample(40, 1);
    data.importance = data.x.col(0).array().exp();
    if (inputs) data.test_x = Matrix::Constant(5, 1, 1.5) + 0.1 * sample(5, 1).x;
    const Simulation simulation(data, {.learner = "ridge", .lambda = std::vector<double>{0.1, 1, 10}});
    const Index index = 16;
    const auto test = simulation.test_rows(index);
    EXPECT_EQ(test.empty(), inputs);
    const auto train = others(40, test);
    TrainingData own = data;
    own.x = data.x(train, Eigen::all);
    own.y = simulation.targets(index)(train);
    own.importance = data.importance(train);
    const auto& truth = simulation.world().truths[static_cast<std::size_t>(index % 3)];
    const Vector errors = simulation.true_errors(index).at_new;
    for (Index k = 0; k < 3; ++k) {
      SelectionRequest request{
          .learner = "ridge", .lambda = std::pow(10.0, static_cast<double>(k) - 1), .criteria = {"cv"}};
      const Model model = select(own, request).model;
      const double wanted =
          inputs ? mean_square(model.predict(data.test_x).col(0) - truth.at_test, Vector::Ones(5))
                 : mean_square(model.predict(data.x(test, Eigen::all)).col(0) - truth.values(test),
                               data.importance(test));
      EXPECT_NEAR(errors[k], wanted, 1e-9 * (1 + wanted));
    }
  }
}

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

/// What every learner must do as its defaults are, and every kind of search over several parameters.
void expect_choices(const TrainingData& data, const SelectionRequest& request) {
  const BlasThreads one(1);  // many small problems, as in parallel_for
  const Simulation simulation(data, request);
  EXPECT_EQ(simulation.world().truths.size(), 3u);
  for (const Index index : {0, 7}) {
    const Trial trial = simulation.trial(index);
    ASSERT_EQ(trial.choices.size(), simulation.criteria().size());
    EXPECT_TRUE(std::isfinite(trial.least) && trial.least >= 0);
    EXPECT_TRUE(std::isfinite(trial.unregularized));
    EXPECT_TRUE(std::isfinite(trial.choices.front().error));
    for (const auto& choice : trial.choices) EXPECT_FALSE(choice.error < trial.least);
    EXPECT_EQ(trial.curves.rows(), static_cast<Index>(simulation.shown_lambdas().size()));
    EXPECT_EQ(simulation.shown_lambdas().empty(), simulation.searches());
  }
}

TEST(Simulation, TakesEveryLearner) {
  for (const LearnerEntry& entry : learner_catalog()) {
    SCOPED_TRACE(entry.name);
    TrainingData data = sample(30, 2);
    if (entry.row_weights == RowWeights::density_ratios) data.importance = data.x.col(0).array().exp();
    SelectionRequest request{.learner = entry.name};
    request.hidden = "2";
    request.restarts = 1;
    expect_choices(data, request);
  }
}

TEST(Simulation, TakesSearchesOverSeveralParameters) {
  const TrainingData data = sample(30, 2);
  SelectionRequest request{.learner = "ridge"};
  request.groups = "each";
  expect_choices(data, request);
  request.search = Search::mackay;
  request.criteria = {"evidence"};
  expect_choices(data, request);
  expect_choices(data, {.learner = "kernel-ridge", .search = Search::gradient});
}

/// In a search regret is against the best choice of all, so that some criterion has none.
TEST(Simulation, SearchesAgainstTheBestChoice) {
  SelectionRequest request{.learner = "ridge", .criteria = {"loo", "evidence", "gcv"}};
  request.groups = "each";
  const Trial trial = Simulation(sample(30, 2), request).trial(1);
  double least = HUGE_VAL;
  for (const auto& choice : trial.choices) least = std::min(least, choice.error);
  EXPECT_EQ(trial.least, least);
}

TEST(Simulation, RefusesInWords) {
  const auto refused = [](const TrainingData& data, const SelectionRequest& request,
                          const std::string& words) {
    try {
      const Simulation simulation(data, request);
      ADD_FAILURE() << "not refused: " << words;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  TrainingData two = sample(30, 2);
  two.y = Matrix(30, 2);
  two.y.setRandom();
  two.target_names = {"a", "b"};
  refused(two, {}, "one target at a time");
  refused(sample(4, 2), {}, "at least 5 rows");
  refused(sample(30, 2), {.learner = "iwls"}, "needs importance weights");
  TrainingData counted = sample(30, 2);
  counted.weight = Vector::Constant(30, 2);
  refused(counted, {.learner = "mlp"}, "row weights cannot be used in a search");
  TrainingData shifted = sample(30, 2);
  shifted.importance = Vector::Constant(30, 2);
  refused(shifted, {.learner = "landweber"}, "importance weights are for");
}

}  // namespace
}  // namespace gnomon::simulation_test
