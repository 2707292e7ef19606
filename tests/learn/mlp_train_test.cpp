// Training: certificates, saddles, dead units, the ends of the decay, determinism, the model file.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/learn/mlp_train.hpp"
#include "learn/mlp/estimates.hpp"
#include "learn/mlp/validation.hpp"
#include "reference/by_name.hpp"
#include "search/mackay.hpp"

namespace gnomon::mlp_train_test {
namespace {

struct Data {
  Matrix x, y;
};

Data wave(Index rows, double noise, std::uint64_t seed) {
  Random random(seed);
  Data d{Matrix(rows, 2), Matrix(rows, 1)};
  for (Index i = 0; i < rows; ++i) {
    d.x(i, 0) = random.uniform(-2, 2), d.x(i, 1) = random.uniform(-2, 2);
    d.y(i, 0) = std::sin(2 * d.x(i, 0)) + 0.5 * d.x(i, 1) + noise * random.normal();
  }
  return d;
}

MlpCost wave_cost(double kappa, Index units = 5, Index rows = 60) {
  const Data d = wave(rows, 0.1, 3);
  const MlpShape shape{2, {units}, 1, true};
  return MlpCost(shape, MlpLoss::squared, d.x, d.y, decay_per_layer(shape, kappa));
}

double least_eigenvalue(const MlpCost& cost, const Vector& w) {
  Matrix j = cost.error_hessian(w, MlpHessian::exact);
  cost.add_penalty(j);
  return Eigen::SelfAdjointEigenSolver<Matrix>(j).eigenvalues()[0];
}

TEST(MlpTrain, ReachesAMinimumWithItsCertificate) {
  const MlpCost cost = wave_cost(1e-3);
  const MlpFit fit = mlp_train(cost);
  EXPECT_EQ(fit.outcome, MlpOutcome::minimum) << fit.status;
  Vector g;
  EXPECT_DOUBLE_EQ(cost.cost_and_gradient(fit.model.w, g), fit.cost);
  EXPECT_LE(g.lpNorm<Eigen::Infinity>(), 1e-10);
  EXPECT_GT(least_eigenvalue(cost, fit.model.w), 0);
  EXPECT_LT(fit.error, 0.05);
  EXPECT_EQ(fit.restart_costs.size(), 5);
  EXPECT_DOUBLE_EQ(fit.restart_costs.minCoeff(), fit.cost);
}

TEST(MlpTrain, TheSameSeedGivesTheSameNet) {
  const MlpCost cost = wave_cost(1e-3);
  const MlpTrainOptions options{.restarts = 2, .seed = 11};
  const MlpFit a = mlp_train(cost, options), b = mlp_train(cost, options);
  EXPECT_EQ((a.model.w - b.model.w).norm(), 0);
  EXPECT_GT((mlp_start(cost.shape(), 11, 0) - mlp_start(cost.shape(), 11, 1)).norm(), 0.1);
  EXPECT_GT((mlp_start(cost.shape(), 11, 0) - mlp_start(cost.shape(), 12, 0)).norm(), 0.1);
}

TEST(MlpTrain, WithoutHiddenLayerItIsRidge) {
  const Data d = wave(30, 0.1, 4);
  const MlpShape shape{2, {}, 1, true};
  const MlpCost cost(shape, MlpLoss::squared, d.x, d.y, common_decay(shape, 0.1));
  const MlpFit fit = mlp_train(cost);
  Matrix design(30, 3);
  design << d.x, Vector::Ones(30);
  const Matrix b = design.transpose() * design / 30 + 0.1 * Matrix::Identity(3, 3);
  const Vector expected = b.llt().solve(design.transpose() * d.y / 30);
  EXPECT_NEAR((fit.model.w - expected).norm(), 0, 1e-12);
}

TEST(MlpTrain, LearnsExclusiveOr) {
  Random random(5);
  Matrix x(80, 2), y = Matrix::Zero(80, 2);
  for (Index i = 0; i < 80; ++i) {
    const double a = i % 2 ? 1 : -1, b = i / 2 % 2 ? 1 : -1;
    x(i, 0) = a + 0.2 * random.normal(), x(i, 1) = b + 0.2 * random.normal();
    y(i, a * b > 0 ? 1 : 0) = 1;
  }
  const MlpShape shape{2, {4}, 2, true};
  const MlpFit fit = mlp_train(MlpCost(shape, MlpLoss::cross_entropy, x, y, decay_per_layer(shape, 1e-3)));
  EXPECT_EQ(fit.outcome, MlpOutcome::minimum) << fit.status;
  const Matrix p = fit.model.predict(x);
  for (Index i = 0; i < 80; ++i) {
    EXPECT_NEAR(p.row(i).sum(), 1, 1e-14);
    EXPECT_GT(p.row(i).dot(y.row(i)), 0.7) << i;
  }
}

TEST(MlpTrain, TheLargeMethodsFindTheSameMinimum) {
  const MlpCost cost = wave_cost(1e-3);
  const MlpFit dense = mlp_train(cost, {.restarts = 1});
  const MlpFit large =
      mlp_train_from(cost, dense.model.w + 0.02 * mlp_start(cost.shape(), 9, 0), {.dense_limit = 0});
  EXPECT_EQ(large.outcome, MlpOutcome::minimum) << large.status;
  EXPECT_LE(large.gradient_norm, 1e-10);
  EXPECT_NEAR((large.model.w - dense.model.w).norm(), 0, 1e-6);
  const MlpFit cold = mlp_train(cost, {.restarts = 3, .dense_limit = 0});
  EXPECT_EQ(cold.outcome, MlpOutcome::minimum) << cold.status;
  EXPECT_NEAR(cold.error, dense.error, 0.05);
}

TEST(MlpTrain, LeavesASaddleOfDeadUnits) {
  const MlpCost cost = wave_cost(1e-3);
  for (const Index dense_limit : {2000, 0}) {
    const MlpFit fit = mlp_train_from(cost, Vector::Zero(cost.weights()), {.dense_limit = dense_limit});
    EXPECT_EQ(fit.outcome, MlpOutcome::minimum) << fit.status;
    EXPECT_GT(fit.escapes, 0);
    EXPECT_GT(least_eigenvalue(cost, fit.model.w), 0);
    EXPECT_LT(fit.error, 0.4);
  }
}

TEST(MlpTrain, SaysWhenSaddlesMayNotBeLeft) {
  const MlpFit fit = mlp_train_from(wave_cost(1e-3), Vector::Zero(21), {.max_escapes = 0});
  EXPECT_EQ(fit.outcome, MlpOutcome::saddle);
  EXPECT_EQ(fit.status, "saddle point: negative curvature is left; 5 hidden units switched off");
}

TEST(MlpTrain, UnitsSwitchedOffWithFreeBiasesLeaveDefinedAnswers) {
  const Data d = wave(60, 0.1, 3);
  const MlpShape shape{2, {4}, 1, true};
  const MlpCost cost(shape, MlpLoss::squared, d.x, d.y, decay_per_layer(shape, 3, false));
  const MlpFit fit = mlp_train(cost);
  EXPECT_EQ(fit.outcome, MlpOutcome::minimum) << fit.status;
  EXPECT_EQ(fit.dead_units.size(), 4u);
  EXPECT_NE(fit.status.find("; 4 hidden units switched off"), std::string::npos) << fit.status;
  EXPECT_NEAR(fit.error, (d.y.array() - d.y.mean()).square().mean(), 1e-12);
  const MlpEstimates estimates(cost, fit.model.w);
  EXPECT_EQ(estimates.curvature().idle().size(), 4u);  // the free biases of the dead units
  EXPECT_TRUE(std::isfinite(mlp_gen(estimates).value.value()));
  EXPECT_TRUE(mlp_gen(estimates).gradient.allFinite());
  EXPECT_EQ(mlp_gen(estimates).gradient.size(), 2);
  EXPECT_TRUE(std::isfinite(mlp_evidence(estimates).value.value()));
  EXPECT_TRUE(mlp_evidence(estimates).gradient.allFinite());
}

TEST(MlpTrain, FreeOutputBiasesOfAClassifierAreDetermined) {
  const Data d = wave(60, 0.5, 3);
  Matrix y = Matrix::Zero(60, 3);
  for (Index i = 0; i < 60; ++i) y(i, d.y(i, 0) < -0.5 ? 0 : d.y(i, 0) < 0.7 ? 1 : 2) = 1;
  const MlpShape shape{2, {2}, 3, true};
  const MlpFit fit =
      mlp_train(MlpCost(shape, MlpLoss::cross_entropy, d.x, y, decay_per_layer(shape, 0.01, false)));
  EXPECT_EQ(fit.outcome, MlpOutcome::minimum) << fit.status;
  EXPECT_NEAR(fit.model.w[8] + fit.model.w[11] + fit.model.w[14], 0, 1e-12);
}

TEST(MlpTrain, AnInfiniteDecayIsTheNetThatSaysNothing) {
  const MlpCost cost = wave_cost(1e8);
  const MlpFit fit = mlp_train(cost);
  EXPECT_EQ(fit.outcome, MlpOutcome::minimum) << fit.status;
  EXPECT_EQ(fit.dead_units.size(), 5u);
  EXPECT_NEAR(fit.model.w.norm(), 0, 1e-7);
  EXPECT_NEAR(fit.error, cost.y().squaredNorm() / 60, 1e-6);
  const MlpEstimates estimates(cost, fit.model.w);
  EXPECT_NEAR(estimates.effective().m1, 0, 1e-6);
  EXPECT_NEAR(mlp_gen(estimates).value.value(), fit.error, 1e-6);
  EXPECT_NEAR(mlp_gen(estimates).gradient.norm(), 0, 1e-6);
  EXPECT_NEAR(mlp_evidence(estimates).gradient.norm(), 0, 1e-5);
}

TEST(MlpTrain, WithoutDecayMoreWeightsThanRowsGiveAStatusAndNoNan) {
  for (const double kappa : {0.0, 1e-18, 1e-9}) {
    const MlpCost cost = wave_cost(kappa, 8, 12);  // 33 weights, 12 rows
    const MlpFit fit = mlp_train(cost, {.restarts = 2, .max_iterations = 300});
    EXPECT_TRUE(std::isfinite(fit.cost));
    EXPECT_TRUE(fit.model.w.allFinite());
    EXPECT_FALSE(fit.status.empty());
    const MlpEstimates estimates(cost, fit.model.w);
    const MlpGen gen = mlp_gen(estimates);
    const MlpEvidence evidence = mlp_evidence(estimates);
    EXPECT_TRUE(!gen.value || std::isfinite(*gen.value));
    EXPECT_TRUE(gen.gradient.allFinite());
    EXPECT_TRUE(!evidence.value || std::isfinite(*evidence.value));
    EXPECT_TRUE(evidence.gradient.allFinite());
    EXPECT_FALSE(gen.status.empty()) << kappa;
    if (kappa == 0) {
      EXPECT_FALSE(evidence.value);
      EXPECT_FALSE(evidence.status.empty());
    }
    if (estimates.curvature().log_determinant()) {
      EXPECT_TRUE(mackay_update(estimates.decays(false)).kappa.allFinite());
    }
    const MlpValidation validation = mlp_validation(cost, fit.model.w, cost);
    EXPECT_TRUE(std::isfinite(validation.value.value()));
    EXPECT_TRUE(validation.gradient.allFinite());
  }
}

TEST(MlpTrain, SeparableClassesWithoutDecayEndWithAStatus) {
  Matrix x(4, 1), y = Matrix::Zero(4, 2);
  x << -2, -1, 1, 2;
  y.col(0).head(2).setOnes(), y.col(1).tail(2).setOnes();
  const MlpShape shape{1, {2}, 2, true};
  const MlpCost cost(shape, MlpLoss::cross_entropy, x, y, common_decay(shape, 0));
  const MlpFit fit = mlp_train(cost, {.restarts = 2, .max_iterations = 200});
  EXPECT_NE(fit.outcome, MlpOutcome::minimum) << fit.status;
  EXPECT_TRUE(fit.model.w.allFinite());
  const MlpGen gen = mlp_gen(MlpEstimates(cost, fit.model.w));
  EXPECT_TRUE(!gen.value || std::isfinite(*gen.value));
  EXPECT_FALSE(gen.status.empty());
}

TEST(MlpTrain, AnUnfinishedRunSaysHowFarItIs) {
  const MlpFit fit = mlp_train(wave_cost(1e-3), {.restarts = 1, .max_iterations = 2});
  EXPECT_EQ(fit.outcome, MlpOutcome::iteration_limit);
  EXPECT_EQ(fit.status.find("not converged after 2 iterations: gradient"), 0u) << fit.status;
}

TEST(MlpTrain, EveryOutcomeHasItsWords) {
  EXPECT_EQ(in_words(MlpOutcome::minimum), "minimum");
  EXPECT_EQ(in_words(MlpOutcome::saddle), "saddle point: negative curvature is left");
  EXPECT_EQ(in_words(MlpOutcome::iteration_limit), "not converged");
  EXPECT_EQ(in_words(MlpOutcome::unbounded),
            "the weights grow without limit: the cost has no minimum; use more weight decay");
  EXPECT_FALSE(in_words(MlpOutcome::flat).empty());
  EXPECT_THROW(in_words(static_cast<MlpOutcome>(99)), Error);
}

TEST(MlpModel, SurvivesJson) {
  const Mlp net{{2, {3, 4}, 2, true}, MlpLoss::cross_entropy, mlp_start({2, {3, 4}, 2, true}, 1, 0)};
  const Mlp back = mlp_from_json(nlohmann::json::parse(to_json(net).dump()));
  EXPECT_EQ(back.shape, net.shape);
  EXPECT_EQ(back.loss, net.loss);
  EXPECT_EQ((back.w - net.w).norm(), 0);
  auto broken = to_json(net);
  broken["hidden"] = {3, 5};
  try {
    mlp_from_json(broken);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the network file has 35 weights, its shape asks for more");
  }
}

TEST(MlpModel, PredictsARowTheSameWhateverIsBesideIt) {
  const Data d = wave(37, 0.1, 8);
  const Mlp net{{2, {9}, 1, true}, MlpLoss::squared, mlp_start({2, {9}, 1, true}, 2, 0)};
  const Matrix all = net.predict(d.x);
  for (Index i = 0; i < 37; ++i) EXPECT_EQ(net.predict(d.x.row(i))(0, 0), all(i, 0));
}

TEST(MlpDecay, GroupsFollowLayersAndInputs) {
  const MlpShape shape{2, {2}, 1, true};
  EXPECT_EQ(decay_per_layer(shape, 1).group, (std::vector<int>{0, 0, 0, 0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(decay_per_layer(shape, 1, false).group, (std::vector<int>{0, 0, -1, 0, 0, -1, 1, 1, -1}));
  EXPECT_EQ(decay_per_input(shape, 1).group, (std::vector<int>{0, 1, 2, 0, 1, 2, 2, 2, 2}));
}

}  // namespace
}  // namespace gnomon::mlp_train_test
