// The truths that sic-toy and nonlinear compare with, against slow forms of them.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "experiments/sic/nonlinear_world.hpp"
#include "experiments/sic/sinc_target.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/criteria/criteria.hpp"
#include "gnomon/criteria/judge.hpp"
#include "gnomon/learn/filters.hpp"

namespace gnomon::experiments::sic_truth_test {
namespace {

TEST(SincTarget, NormIsTheLimitOfInterpolants) {
  // The least norm among functions through f(x_i) grows to ‖f‖² as the points fill the line; fᵀK⁻¹f is that norm.
  for (const double frequency : {1.0, std::numbers::pi}) {
    const SincTarget f{frequency};
    double before = 0;
    for (const double half : {4.0, 8.0, 16.0, 32.0}) {
      const double step = 0.8;
      const auto n = static_cast<Index>(2 * half / step) + 1;
      const Vector x = Vector::LinSpaced(n, -half, half);
      Matrix gram(n, n);
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) gram(i, j) = std::exp(-(x[i] - x[j]) * (x[i] - x[j]) / 2);
      const Vector values = x.unaryExpr(f);
      const double norm = values.dot(gram.fullPivLu().solve(values));
      EXPECT_GT(norm, before);
      EXPECT_LT(norm, f.squared_norm());
      before = norm;
    }
    EXPECT_NEAR(before, f.squared_norm(), 0.03 * f.squared_norm());
  }
  EXPECT_NEAR(SincTarget{1}.squared_norm(), 1.497657, 1e-6);
  EXPECT_NEAR(SincTarget{std::numbers::pi}.squared_norm(), 6.518415, 1e-6);
}

struct Toy {
  Matrix x;
  Vector f;
  double norm;
  explicit Toy(Index n) : norm(SincTarget{1}.squared_norm()) {
    Random random(8);
    x = random.uniform_vector(n, -3, 3);
    f = x.col(0).unaryExpr(SincTarget{1});
  }
  Smoother with(const MatrixView& y) const {
    return {x,
            y,
            Vector(),
            {.representation = parse_kernel("gaussian", 1),
             .filter = coefficient_tikhonov,
             .intercept = false,
             .strategy = Strategy::full,
             .needs = {.vectors = true}}};
  }
  /// X = (K² + λI)⁻¹K by its definition.
  Matrix gram() const {
    Matrix k(x.rows(), x.rows());
    for (Index i = 0; i < k.rows(); ++i)
      for (Index j = 0; j < k.cols(); ++j) k(i, j) = std::exp(-(x(i, 0) - x(j, 0)) * (x(i, 0) - x(j, 0)) / 2);
    return k;
  }
};

const std::vector<double> lambdas{1e-3, 1e-1, 10};

TEST(FunctionSpaceError, IsBiasAndVarianceOfTheDenseForm) {
  const Toy toy(20);
  const double sigma2 = 0.04;
  const Vector error = function_space_error(toy.with(toy.f), 0, lambdas, sigma2, toy.norm);
  const Matrix k = toy.gram();
  for (Index i = 0; i < error.size(); ++i) {
    const double lambda = lambdas[static_cast<std::size_t>(i)];
    const Matrix solve = (k * k + lambda * Matrix::Identity(20, 20)).ldlt().solve(k);
    const Vector alpha = solve * toy.f;
    const double bias = alpha.dot(k * alpha) - 2 * alpha.dot(toy.f) + toy.norm;
    EXPECT_NEAR(error[i], bias + sigma2 * (k * solve * solve.transpose()).trace(), 1e-8);
  }
}

TEST(FunctionSpaceError, IsTheMeanOfRealisedErrors) {
  const Toy toy(15);
  const double sigma = 0.3;
  const Vector expected = function_space_error(toy.with(toy.f), 0, lambdas, sigma * sigma, toy.norm);
  Random random(5);
  constexpr Index draws = 4000;
  const Smoother prepared = toy.with(toy.f);
  Matrix realised(3, draws);
  for (Index d = 0; d < draws; ++d) {
    const auto learner = prepared.with_targets(toy.f + sigma * random.normal_vector(15));
    realised.col(d) = realised_function_space_error(*learner, 0, toy.f, lambdas, toy.norm);
  }
  for (Index i = 0; i < 3; ++i) {
    const double mean = realised.row(i).mean();
    const double error = std::sqrt((realised.row(i).array() - mean).square().mean() / draws);
    EXPECT_LT(std::abs(mean - expected[i]), 3.5 * error) << lambdas[static_cast<std::size_t>(i)];
  }
}

TEST(NonlinearWorld, NoiseHasMeanZeroAndVarianceOne) {
  for (const NoiseLaw law : {NoiseLaw::gaussian, NoiseLaw::laplace, NoiseLaw::exponential}) {
    Random random(11);
    const Vector e = drawn_noise(law, 200000, random);
    EXPECT_NEAR(e.mean(), 0, 0.01) << name_of(law);
    EXPECT_NEAR(e.squaredNorm() / 200000, 1, 0.03) << name_of(law);
  }
}

TEST(NonlinearWorld, GapsComeFromTheCovarianceTermAlone) {
  // SIC at σ² = 0 leaves the term out: less the truth it is −2⟨f̂, f_u − f⟩, for every learner and metric.
  const NonlinearWorld world;
  Random random(4);
  const Vector e = random.normal_vector(world.x.rows()), y = world.truth() + e;
  for (const NonlinearLearner& kind :
       {ridge_learner(5), affine_learner(1), huber_learner(0.5, 0), huber_learner(0.5, 5), lasso_learner(8),
        hard_threshold_learner(0.4, false)}) {
    const PathLearner learner = kind.make(world, y);
    const PathFit fit = learner.path({&kind.lambda, 1}, 0).front();
    const auto without_term = [&](const Metric& metric) {
      return judge(learner, sic, {&kind.lambda, 1}, {.sigma2 = 0, .metric = metric}).value[0];
    };
    const GapParts rows = parts_at_rows(world, learner, fit, e, world.truth());
    EXPECT_NEAR(without_term(world.at_rows()) - rows.loss, -rows.twice_term, 1e-10) << kind.name;
    const GapParts points = parts_at_points(world, fit.coefficients, e, world.beta);
    EXPECT_NEAR(without_term(world.at_points()) - points.loss, -points.twice_term, 1e-10) << kind.name;
  }
}

TEST(NonlinearWorld, HardThresholdKeepsLargeCoefficients) {
  const NonlinearWorld world;
  const NonlinearLearner kind = hard_threshold_learner(0.4, false);
  const PathLearner learner = kind.make(world, world.truth());
  const PathFit fit = learner.path({&kind.lambda, 1}, 0).front();
  EXPECT_EQ(fit.active, (std::vector<Index>{0, 1}));
  EXPECT_NEAR(fit.coefficients[0], world.beta[0], 1e-12);
  EXPECT_EQ(fit.coefficients[2], 0);
  EXPECT_NEAR(fit.df, 2, 1e-12);
}

}  // namespace
}  // namespace gnomon::experiments::sic_truth_test
