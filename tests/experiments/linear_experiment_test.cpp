#include "experiments/linear/linear_experiment.hpp"
#include "reference/by_name.hpp"
#include "reference/fper.hpp"
#include "reference/gpe.hpp"

#include <gtest/gtest.h>

#include "../learn/linear_problem.hpp"
#include "experiments/linear/lane_search.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "learn/ridge_groups/ridge_folds.hpp"
#include "reference/spectral_ridge.hpp"

namespace gnomon::reference::linear_experiment_test {
namespace {

using namespace experiments;

constexpr Index rows = 40, inputs = LaneRidge::inputs;

struct EightProblems {
  LaneRidge lanes{rows};
  std::vector<Matrix> x;
  std::vector<Vector> y;

  EightProblems() {
    for (int l = 0; l < 8; ++l) {
      Matrix design = testing::normal_matrix(rows, inputs, static_cast<std::uint64_t>(l + 1));
      for (Index j = 0; j < inputs; ++j) design.col(j) *= std::pow(0.6, static_cast<double>(j * (l % 3)));
      x.push_back(design);
      y.push_back(testing::targets(design, 1, static_cast<std::uint64_t>(l + 100)));
      for (Index k = 0; k < rows; ++k) {
        lanes.y[k][l] = y.back()[k];
        for (Index j = 0; j < inputs; ++j) lanes.x[k * inputs + j][l] = design(k, j);
      }
    }
    lanes.decompose();
  }
};

TEST(LinearExperiment, LanesAgreeWithOneProblemAtATime) {
  const EightProblems eight;
  using Curve = SpectralRidge::Curve;
  const std::vector<std::pair<LaneCurve, Curve>> curves{
      {lane_loo, Curve::loo}, {lane_gen, Curve::gen}, {lane_gcv, Curve::gcv}, {lane_fper, Curve::fper}};
  for (const double kappa : {1e-4, 0.03, 2.0}) {
    const Vector kappas = Vector::Constant(8, kappa);
    LaneBuffer values(1), other(1);
    for (std::size_t l = 0; l < 8; ++l) {
      const SpectralRidge one(eight.x[l], eight.y[l]);
      for (const auto& [lane, curve] : curves) {
        lane(eight.lanes, kappas.data(), 1, values.data());
        const double expected = one.at(curve, kappa).value;
        EXPECT_NEAR(values[0][l], expected, 1e-9 * expected);
      }
      lane_gen_eq14(eight.lanes, kappas.data(), 1, values.data());
      EXPECT_NEAR(values[0][l], one.at(Curve::gen_eq14, kappa).gradient[0], 1e-8);
      lane_evidence(eight.lanes, kappas.data(), 1, values.data());
      lane_evidence(eight.lanes, Vector::Constant(8, 1.0).eval().data(), 1, other.data());
      EXPECT_NEAR(0.5 * (values[0][l] - other[0][l]),
                  one.at(Curve::evidence, kappa).value - one.at(Curve::evidence, 1).value, 1e-8);
      const GroupedRidge ridge(eight.x[l], eight.y[l], GroupedPenalty::decay(std::vector<int>(inputs, 0)));
      lane_ten_fold(eight.lanes, kappas.data(), 1, values.data());
      const double folds = folds_cv(RidgeFolds(ridge, blocked_folds(rows, 10)), kappas.head(1)).value;
      EXPECT_NEAR(values[0][l], folds, 1e-9 * folds);
      lane_cp(eight.lanes, kappas.data(), 1, values.data());
      const double noise = ridge.fit(Vector::Zero(1)).training_error * rows / (rows - inputs);
      EXPECT_NEAR(values[0][l], gpe(ridge_counted(ridge, kappas.head(1)), noise).value, 1e-9);
    }
  }
}

TEST(LinearExperiment, LanesChooseTheMinimumOfTheScan) {
  const EightProblems eight;
  const LaneGrid grid(eight.lanes);
  const auto chosen = grid.minimise(lane_loo);
  for (std::size_t l = 0; l < 8; ++l) {
    const SpectralRidge one(eight.x[l], eight.y[l]);
    const KappaScan scan = scan_kappa(one, SpectralRidge::Curve::loo, 1e-12, 1e5);
    if (chosen[l] == 0) {
      EXPECT_EQ(scan.where, KappaScan::Where::lower_end);
    } else {
      EXPECT_NEAR(one.at(SpectralRidge::Curve::loo, chosen[l]).value, scan.value, 1e-7 * scan.value);
    }
  }
}

LinearExperimentOptions small(Index sets) {
  LinearExperimentOptions options;
  options.data_sets = sets;
  options.noise_to_signal = {0.1, 2};
  return options;
}

TEST(LinearExperiment, DependsOnTheSeedAloneNotOnThreads) {
  const int before = threads();
  set_threads(1);
  const auto one = linear_experiment(small(203));
  set_threads(3);
  const auto three = linear_experiment(small(203));
  set_threads(before);
  auto other_options = small(203);
  other_options.seed = 2;
  const auto other = linear_experiment(other_options);
  for (std::size_t c = 0; c < one.size(); ++c) {
    for (std::size_t i = 0; i < one[c].cells.size(); ++i) {
      EXPECT_EQ(one[c].cells[i].kappa, three[c].cells[i].kappa);
      EXPECT_EQ(one[c].cells[i].gain, three[c].cells[i].gain);
      EXPECT_NE(one[c].cells[i].gain, other[c].cells[i].gain);
    }
  }
}

TEST(LinearExperiment, GivesTheReferenceTables) {
  const auto conditions = linear_experiment(small(800));
  const auto rows_checked = check_against_reference(conditions);
  EXPECT_EQ(rows_checked.size(), 36u);
  for (const auto& row : rows_checked) {
    EXPECT_TRUE(row.accepted) << name_of(row.spread) << " " << row.noise_to_signal << " "
                              << name_of(row.chooser) << ": " << row.improved_deviation << ", "
                              << row.gain_deviation;
  }
  for (const auto& condition : conditions) {
    for (const auto& cell : condition.cells)
      EXPECT_LE(cell.gain, condition.cells[0].gain + 1e-9);  // none beats the optimum
  }
}

TEST(LinearExperiment, RefusesWhatItCannotFold) {
  LinearExperimentOptions options;
  options.rows = 35;
  EXPECT_THROW(linear_experiment(options), Error);
}

}  // namespace
}  // namespace gnomon::reference::linear_experiment_test
