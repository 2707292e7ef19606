// Estimates and hypergradients: every gradient against central differences through retraining.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "gnomon/core/random.hpp"
#include "learn/mlp/estimates.hpp"
#include "learn/mlp/validation.hpp"
#include "reference/by_name.hpp"
#include "reference/mlp_validation.hpp"

namespace gnomon::mlp_estimates_test {
namespace {

using reference::MlpCrossValidation, reference::mlp_approximate_loo, reference::mlp_cross_validation;

struct Case {
  const char* name;
  MlpShape shape;
  MlpLoss loss;
  bool per_input;
};

MlpCost problem(const Case& c) {
  Random random(21);
  const Index rows = 50;
  Matrix x(rows, c.shape.inputs), y(rows, c.shape.outputs);
  for (auto& v : x.reshaped()) v = random.normal();
  for (Index o = 0; o < c.shape.outputs; ++o)
    for (Index i = 0; i < rows; ++i)
      y(i, o) = std::tanh(2 * x(i, 0) - x(i, 1) * static_cast<double>(o)) + x(i, 1) + 0.3 * random.normal();
  if (c.loss == MlpLoss::cross_entropy) {
    for (Index i = 0; i < rows; ++i) {
      Index top = 0;
      y.row(i).maxCoeff(&top);
      y.row(i).setZero();
      y(i, top) = 1;
    }
  }
  MlpDecay decay = c.per_input ? decay_per_input(c.shape, 0.01)
                               : decay_per_layer(c.shape, 0.01, c.shape.hidden.size() > 1);
  for (Index g = 0; g < decay.groups(); ++g) decay.kappa[g] *= 1 + 0.3 * static_cast<double>(g);
  return MlpCost(c.shape, c.loss, x, y, decay);
}

/// Fourth-order central differences in log κ_g; every point is trained anew from the same weights.
Vector retrained_gradient(const MlpCost& cost, const Vector& w,
                          const std::function<double(const MlpCost&, const Vector&)>& value) {
  const double h = 2e-3;
  Vector out(cost.decay().groups());
  const auto at = [&](Index g, double step) {
    Vector kappa = cost.decay().kappa;
    kappa[g] *= std::exp(step);
    const MlpCost moved = cost.with_kappa(kappa);
    const MlpFit fit = mlp_train_from(moved, w);
    EXPECT_EQ(fit.outcome, MlpOutcome::minimum) << fit.status;
    return value(moved, fit.model.w);
  };
  for (Index g = 0; g < out.size(); ++g) {
    const double one = (at(g, h) - at(g, -h)) / (2 * h), two = (at(g, 2 * h) - at(g, -2 * h)) / (4 * h),
                 four = (at(g, 4 * h) - at(g, -4 * h)) / (8 * h);
    const double first = (4 * one - two) / 3, second = (4 * two - four) / 3;
    out[g] = (16 * first - second) / 15;
  }
  return out;
}

void expect_equal(const Vector& got, const Vector& want) {
  ASSERT_EQ(got.size(), want.size());
  EXPECT_NEAR((got - want).lpNorm<Eigen::Infinity>() / want.lpNorm<Eigen::Infinity>(), 0, 1e-6)
      << got.transpose() << " against " << want.transpose();
}

class MlpHypergradients : public ::testing::TestWithParam<Case> {
 protected:
  MlpHypergradients() : cost(problem(GetParam())), fit(mlp_train(cost)), w(fit.model.w) {}
  MlpCost cost;
  MlpFit fit;
  Vector w;
};

TEST_P(MlpHypergradients, OfTheWeights) {
  const Matrix along = MlpEstimates(cost, w).weights_along().value();
  const Vector probe = Random(3).normal_vector(w.size());
  expect_equal(along.transpose() * probe,
               retrained_gradient(cost, w, [&](const MlpCost&, const Vector& v) { return probe.dot(v); }));
}

TEST_P(MlpHypergradients, OfGen) {
  for (const auto kind : {MlpHessian::exact, MlpHessian::gauss_newton}) {
    for (const Index lag : {0, 3}) {
      const MlpGen gen = mlp_gen(MlpEstimates(cost, w, kind), lag, MlpLagWindow::bartlett);
      EXPECT_NEAR(gen.value.value(), cost.error(w) + gen.effective / 50 - gen.correction, 1e-12);
      expect_equal(
          gen.gradient, retrained_gradient(cost, w, [&](const MlpCost& c, const Vector& v) {
            return mlp_gen(MlpEstimates(c, v, kind), lag, MlpLagWindow::bartlett, false).value.value();
          }));
    }
  }
}

TEST_P(MlpHypergradients, OfTheEvidence) {
  for (const auto kind : {MlpHessian::exact, MlpHessian::gauss_newton}) {
    expect_equal(mlp_evidence(MlpEstimates(cost, w, kind)).gradient,
                 retrained_gradient(cost, w, [&](const MlpCost& c, const Vector& v) {
                   return mlp_evidence(MlpEstimates(c, v, kind), {}, false).value.value();
                 }));
  }
}

TEST_P(MlpHypergradients, OfCrossValidation) {
  std::vector<std::vector<Index>> folds(5);
  for (Index i = 0; i < 50; ++i) folds[std::size_t(i % 5)].push_back(i);
  const MlpCrossValidation cv = mlp_cross_validation(cost, folds, w);
  ASSERT_EQ(cv.fits.size(), 5u);
  double sum = 0;
  for (std::size_t f = 0; f < 5; ++f) sum += cost.on_rows(folds[f]).error(cv.fits[f].model.w);
  EXPECT_NEAR(cv.value.value(), sum / 5, 1e-14);
  // Folds are followed from their own minima, so that differences stay on one branch.
  Vector gradient = Vector::Zero(cost.decay().groups());
  for (std::size_t f = 0; f < 5; ++f) {
    std::vector<Index> kept;
    for (Index i = 0; i < 50; ++i)
      if (i % 5 != static_cast<Index>(f)) kept.push_back(i);
    const MlpCost training = cost.on_rows(kept), held = cost.on_rows(folds[f]);
    gradient += retrained_gradient(training, cv.fits[f].model.w,
                                   [&](const MlpCost&, const Vector& v) { return held.error(v); }) /
                5;
  }
  expect_equal(cv.gradient, gradient);
}

TEST_P(MlpHypergradients, OfValidationByConjugateGradientsAreThoseOfTheDenseSolve) {
  const MlpValidation dense = mlp_validation(cost, w, cost), large = mlp_validation(cost, w, cost, 0);
  ASSERT_EQ(large.status, "");
  EXPECT_NEAR((dense.gradient - large.gradient).norm(), 0, 1e-9 * dense.gradient.norm());
}

TEST_P(MlpHypergradients, EvidenceIsBestAtItsOwnBeta) {
  const MlpEstimates estimates(cost, w);
  const MlpEvidence best = mlp_evidence(estimates, {}, false);
  EXPECT_NEAR(best.gradient_log_beta, 0, 1e-10);
  if (cost.loss() == MlpLoss::cross_entropy) return;
  const auto at = [&](double factor) {
    return mlp_evidence(estimates, best.beta * factor, false).value.value();
  };
  EXPECT_LT(best.value.value(), at(1.1));
  EXPECT_LT(best.value.value(), at(0.9));
  const double slope = (at(2 * std::exp(1e-4)) - at(2 * std::exp(-1e-4))) / 2e-4;
  EXPECT_NEAR(mlp_evidence(estimates, 2 * best.beta, false).gradient_log_beta, slope, 1e-5);
}

TEST_P(MlpHypergradients, EffectiveParametersSplitOverGroups) {
  const MlpEffective e = MlpEstimates(cost, w, MlpHessian::gauss_newton).effective();
  EXPECT_NEAR(e.gamma_total, e.m1, 1e-9);
  EXPECT_GT(e.m1, 0);
  EXPECT_LT(e.m2, e.m1);
  EXPECT_LT(e.m1, static_cast<double>(w.size()));
}

INSTANTIATE_TEST_SUITE_P(Shapes, MlpHypergradients,
                         ::testing::Values(Case{"layers", {2, {3}, 1, true}, MlpLoss::squared, false},
                                           Case{"inputs", {3, {3}, 2, true}, MlpLoss::squared, true},
                                           Case{"deep", {2, {3, 2}, 1, true}, MlpLoss::squared, false},
                                           Case{"classes", {2, {2}, 3, true}, MlpLoss::cross_entropy, false}),
                         [](const auto& chosen) { return chosen.param.name; });

TEST(MlpApproximateLoo, IsExactForALinearModel) {
  const MlpShape shape{2, {}, 1, true};
  const MlpCost cost = problem({"linear", shape, MlpLoss::squared, false});
  const Vector w = mlp_train(cost).model.w;
  double sum = 0;
  for (Index k = 0; k < cost.rows(); ++k) {
    std::vector<Index> kept;
    for (Index i = 0; i < cost.rows(); ++i)
      if (i != k) kept.push_back(i);
    sum += cost.on_rows({k}).error(mlp_train(cost.on_rows(kept), {.restarts = 1}).model.w);
  }
  EXPECT_NEAR(mlp_approximate_loo(cost, w).value(), sum / 50, 1e-12);
}

}  // namespace
}  // namespace gnomon::mlp_estimates_test
