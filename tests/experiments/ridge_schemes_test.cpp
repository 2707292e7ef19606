#include "experiments/linear/ridge_schemes.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "gnomon/core/random.hpp"

namespace gnomon::experiments {
namespace {

constexpr Index rows = 30, inputs = 6;

struct Sample {
  Matrix x{rows, inputs};
  Vector y{rows};
};

Sample sample() {
  Random random(7, 0);
  Sample s;
  for (Index k = 0; k < rows; ++k) {
    s.x.row(k) = random.normal_vector(inputs).transpose();
    s.y[k] = s.x.row(k).head(3).sum() + random.normal();
  }
  return s;
}

std::vector<std::vector<Index>> one_by_one() {
  std::vector<std::vector<Index>> folds;
  for (Index k = 0; k < rows; ++k) folds.push_back({k});
  return folds;
}

TEST(RidgeSchemes, SlopeOfTheValidationErrorIsItsDerivative) {
  const Sample s = sample();
  const std::vector<std::vector<Index>> folds{{0, 1, 2, 3}, {4, 5, 6, 7, 8}};
  Work work;
  const double kappa = 0.3, step = 1e-5;
  const double above = validation_step(s.x, s.y, folds, kappa + step, work).value;
  const double below = validation_step(s.x, s.y, folds, kappa - step, work).value;
  EXPECT_NEAR(validation_step(s.x, s.y, folds, kappa, work).slope, (above - below) / (2 * step), 1e-8);
}

TEST(RidgeSchemes, LeaveOneOutIsTheSameByTrainingsInClosedFormAndBySpectrum) {
  const Sample s = sample();
  const SpectralRidge ridge(s.x, s.y);
  Work work;
  for (const double kappa : {1e-3, 0.1, 1.0, 30.0}) {
    const SchemeValue trained = validation_step(s.x, s.y, one_by_one(), kappa, work);
    for (const SchemeValue& other : {closed_loo_step(s.x, s.y, kappa, work), ridge.loo(kappa)}) {
      EXPECT_NEAR(other.value, trained.value, 1e-12 * trained.value);
      EXPECT_NEAR(other.slope, trained.slope, 1e-11 * trained.value / kappa);
    }
  }
}

TEST(RidgeSchemes, GenAndEvidenceAreTheSameBySpectrum) {
  const Sample s = sample();
  const SpectralRidge ridge(s.x, s.y);
  Work work;
  for (const double kappa : {1e-3, 0.1, 1.0, 30.0}) {
    const SchemeValue explicitly = gen_step(s.x, s.y, kappa, work), spectral = ridge.gen(kappa);
    EXPECT_NEAR(spectral.value, explicitly.value, 1e-12 * explicitly.value);
    EXPECT_NEAR(spectral.slope, explicitly.slope, 1e-11 * explicitly.value / kappa);
    const double next = evidence_step(s.x, s.y, kappa, work);
    EXPECT_NEAR(ridge.next_evidence_kappa(kappa), next, 1e-10 * next);
  }
}

TEST(RidgeSchemes, EvidenceIsHighestWhereItsUpdatesEnd) {
  const Sample s = sample();
  const SpectralRidge ridge(s.x, s.y);
  double kappa = ridge.mean_eigenvalue();
  for (int step = 0; step < 1000; ++step) kappa = ridge.next_evidence_kappa(kappa);
  // −log evidence at the best β, less a constant: N/2 log C + ½ log|B| − m/2 log κ.
  const auto minus_log = [&](double at) {
    const Matrix b = s.x.transpose() * s.x / rows + at * Matrix::Identity(inputs, inputs);
    const Vector w = b.llt().solve(s.x.transpose() * s.y / rows);
    const double cost = (s.y - s.x * w).squaredNorm() / rows + at * w.squaredNorm();
    return 0.5 * rows * std::log(cost) + 0.5 * std::log(b.determinant()) - 0.5 * inputs * std::log(at);
  };
  EXPECT_LT(minus_log(kappa), minus_log(1.05 * kappa));
  EXPECT_LT(minus_log(kappa), minus_log(kappa / 1.05));
}

TEST(RidgeSchemes, CountsTrainings) {
  const Sample s = sample();
  Work loo, fold, gen, evidence, closed;
  validation_step(s.x, s.y, one_by_one(), 1, loo);
  validation_step(s.x, s.y, {{0, 1}}, 1, fold);
  gen_step(s.x, s.y, 1, gen);
  evidence_step(s.x, s.y, 1, evidence);
  closed_loo_step(s.x, s.y, 1, closed);
  EXPECT_EQ(loo.trainings, rows);
  for (const Work* one : {&fold, &gen, &evidence, &closed}) EXPECT_EQ(one->trainings, 1);
  EXPECT_EQ(loo.solves, 2 * rows);  // weights and gradient of each
  EXPECT_GT(loo.flops, 10 * gen.flops);
}

}  // namespace
}  // namespace gnomon::experiments
