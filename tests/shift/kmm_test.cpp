#include "shift/kmm.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gnomon/core/error.hpp"
#include "represent/gram.hpp"
#include "samples_of.hpp"

namespace gnomon::kmm_test {
namespace {

using shift_test::normal;

struct Problem {
  Matrix train = normal(60, 2, 1), test = normal(45, 2, 2, 0.8, 0.6);
  Matrix k = gram(Gaussian{1.2}, train);
  Vector kappa = cross_gram(Gaussian{1.2}, train, test).rowwise().sum() * (60.0 / 45.0);

  double objective(const Vector& beta, double lambda) const {
    return 0.5 * beta.dot(k * beta) - kappa.dot(beta) + 0.5 * lambda * (beta.array() - 1).square().sum();
  }
};

TEST(KernelMeanMatching, MeetsTheOptimalityConditions) {
  const Problem p;
  for (const double lambda : {1e-3, 0.1, 5.0, 1e4})
    for (const double bound : {1.5, 3.0, 1000.0}) {
      const KmmFit fit = kmm_fit(p.train, p.test, 1.2, lambda, bound);
      ASSERT_TRUE(fit.converged) << lambda << " " << bound << " " << fit.gap;
      EXPECT_NEAR(fit.beta.sum(), 60, 1e-9);
      EXPECT_GE(fit.beta.minCoeff(), 0);
      EXPECT_LE(fit.beta.maxCoeff(), bound);
      // A row strictly inside the box has gradient −τ; at 0 it is no smaller, at the bound no larger.
      const Vector slope =
          (p.k * fit.beta - p.kappa + lambda * (fit.beta.array() - 1).matrix()).array() + fit.multiplier;
      const double tolerance = 1e-5 * p.kappa.maxCoeff();
      for (Index i = 0; i < 60; ++i) {
        if (fit.beta[i] > 1e-4 * bound) {
          EXPECT_LT(slope[i], tolerance) << lambda << " " << bound;
        }
        if (fit.beta[i] < (1 - 1e-4) * bound) {
          EXPECT_GT(slope[i], -tolerance) << lambda << " " << bound;
        }
      }
    }
}

TEST(KernelMeanMatching, NoFeasiblePointIsBetter) {
  const Problem p;
  const KmmFit fit = kmm_fit(p.train, p.test, 1.2, 0.5, 4);
  const double best = p.objective(fit.beta, 0.5);
  Random random(9);
  for (int trial = 0; trial < 2000; ++trial) {  // small moves that keep the sum and the box
    const auto i = static_cast<Index>(random.below(60)), j = static_cast<Index>(random.below(60));
    const double step = std::min({random.uniform() * 0.01, fit.beta[i], 4 - fit.beta[j]});
    Vector moved = fit.beta;
    moved[i] -= step, moved[j] += step;
    EXPECT_GE(p.objective(moved, 0.5), best - 1e-9);
  }
}

TEST(KernelMeanMatching, TheFunctionAgreesWithTheWeights) {
  const Problem p;
  for (const double lambda : {0.05, 1.0, 30.0}) {
    const KmmFit fit = kmm_fit(p.train, p.test, 1.2, lambda, 5);
    EXPECT_LT((fit.at(p.train) - fit.beta).cwiseAbs().maxCoeff(), 1e-4) << lambda;
  }
  const KmmFit flat = kmm_fit(p.train, p.test, 1.2, 1e7);
  EXPECT_LT((flat.beta.array() - 1).abs().maxCoeff(), 1e-4);
}

TEST(KernelMeanMatching, RejectsWhatHasNoMeaning) {
  const Problem p;
  EXPECT_THROW(kmm_fit(p.train, p.test, 1, 0), Error);
  EXPECT_THROW(kmm_fit(p.train, p.test, 1, 1, 1), Error);
  EXPECT_THROW(kmm_fit(p.train, Matrix(0, 2), 1, 1), Error);
}

}  // namespace
}  // namespace gnomon::kmm_test
