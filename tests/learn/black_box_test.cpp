#include "gnomon/learn/black_box.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "../criteria/harness.hpp"

namespace gnomon::testing::black_box_test {
namespace {

const Metric at_rows{Metric::Kind::train, {}, "train"};

CriterionCurve curve_of(const Criterion& criterion, const Learner& learner,
                        const std::vector<double>& lambdas, double sigma2, std::uint64_t seed = 7) {
  const NoiseVariance noise = Judge::known(sigma2);
  const Progress progress;
  return criterion.evaluate({learner, 0, lambdas, noise, at_rows, 1, 5, 1, seed, progress});
}

PathLearner learner_of(BlackBox::Function function, const Vector& y,
                       Dependence dependence = Dependence::continuous, const Vector& weight = {},
                       PathLearnerOptions options = {}) {
  return PathLearner(std::make_unique<BlackBox>(std::move(function), dependence), y, weight,
                     std::move(options));
}

Vector ridge_fit(const Matrix& x, const Vector& y, double lambda) {
  const Matrix normal = x.transpose() * x + lambda * Matrix::Identity(x.cols(), x.cols());
  return x * normal.ldlt().solve(x.transpose() * y);
}

Vector soft_threshold(const Vector& y, double lambda) {
  return y.unaryExpr([&](double v) { return v > lambda ? v - lambda : v < -lambda ? v + lambda : 0; });
}

Vector hard_threshold(const Vector& y, double lambda) {
  return y.unaryExpr([&](double v) { return std::abs(v) > lambda ? v : 0; });
}

/// Half of the signal is 0, half is not far from the threshold.
Vector signal(Index n) {
  return Vector::NullaryExpr(n, [](Index i) { return i % 2 ? 0.0 : 1.5; });
}

struct LinearToy {
  Matrix x = Matrix(25, 3);
  Vector y;

  LinearToy() {
    Random random(12);
    for (Index j = 0; j < 3; ++j) x.col(j) = random.normal_vector(25);
    y = x * Vector{{1, -2, 0.5}} + 0.5 * random.normal_vector(25);
  }
};

TEST(BlackBox, ALinearOneGetsWhatRidgeGets) {
  const LinearToy toy;
  const std::vector<double> lambdas{0.5, 20};
  PathLearnerOptions options;
  options.probes = 4000;
  const PathLearner box = learner_of([&](const Vector& y, double l) { return ridge_fit(toy.x, y, l); }, toy.y,
                                     Dependence::continuous, {}, options);
  const Smoother ridge(
      toy.x, toy.y, Vector(),
      {.representation = Basis::fit("linear", toy.x), .filter = tikhonov, .intercept = false});
  const auto boxed = box.sums(lambdas, 0), exact = ridge.sums(lambdas, 0);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    EXPECT_NEAR(boxed[k].z2g2, exact[k].z2g2, 1e-9 * exact[k].z2g2);
    // A probe bᵀHb of entries ±1 has variance 2(‖H‖² − Σh_ii²) < 2 tr H.
    EXPECT_NEAR(boxed[k].df, exact[k].df, 4 * std::sqrt(2 * exact[k].df / options.probes));
  }
  for (const auto& criterion : {sic, sure, cp, gcv, fpe, aic, bic}) {
    ASSERT_EQ(criterion.undefined_for(box, at_rows), "") << criterion.name;
    const Vector a = curve_of(criterion, box, lambdas, 0.25).value,
                 b = curve_of(criterion, ridge, lambdas, 0.25).value;
    for (Index k = 0; k < 2; ++k) EXPECT_NEAR(a[k], b[k], 0.02 * std::abs(b[k])) << criterion.name;
  }
}

TEST(BlackBox, MonteCarloSureIsUnbiased) {
  const Vector f = signal(20);
  Running sure_gap, sic_gap;
  Random random(3);
  for (int draw = 0; draw < 4000; ++draw) {
    const Vector y = f + random.normal_vector(20);
    PathLearnerOptions options;
    options.seed = static_cast<std::uint64_t>(draw);
    const PathLearner box = learner_of(soft_threshold, y, Dependence::continuous, {}, options);
    const double risk = (soft_threshold(y, 0.8) - f).squaredNorm() / 20;
    sure_gap.add(curve_of(sure, box, {0.8}, 1).value[0] - risk);
    sic_gap.add(curve_of(sic, box, {0.8}, 1).value[0] - risk + f.squaredNorm() / 20);
  }
  EXPECT_LT(sure_gap.z(0), 3) << sure_gap.mean();
  EXPECT_LT(sic_gap.z(0), 3) << sic_gap.mean();
}

TEST(BlackBox, TheNaiveDivergenceOfHardThresholdingIsFarTooSmall) {
  // Away from the jumps the derivative is the number of values kept, and the Monte-Carlo difference sees just that; the
  // jumps, which carry the rest of Σ cov(f̂_i, y_i)/σ², fall between the probes.
  const Vector f = signal(20);
  const double threshold = 1.2;
  Running naive_gap, covariance, naive;
  Random random(4);
  for (int draw = 0; draw < 8000; ++draw) {
    const Vector e = random.normal_vector(20), y = f + e, fit = hard_threshold(y, threshold);
    const double kept = static_cast<double>((fit.array() != 0).count());
    naive.add(kept);
    covariance.add(fit.dot(e));
    naive_gap.add((y - fit).squaredNorm() / 20 - 1 + 2 * kept / 20 - (fit - f).squaredNorm() / 20);
    if (draw >= 50) continue;
    const double margin = (y.cwiseAbs().array() - threshold).abs().minCoeff();
    if (margin < 2 * divergence_step(y)) continue;
    EXPECT_NEAR(learner_of(hard_threshold, y).sums(std::vector{threshold}, 0)[0].df, kept, 1e-6);
  }
  EXPECT_GT(naive_gap.z(0), 3);
  EXPECT_LT(naive.mean(), 0.75 * covariance.mean());
}

TEST(BlackBox, ADiscontinuousOneIsRefusedSteinAndGetsTheBootstrap) {
  Random random(5);
  const Vector y = signal(30) + random.normal_vector(30);
  const PathLearner box = learner_of(hard_threshold, y, Dependence::discontinuous);
  for (const auto& criterion : {sure, cp, gcv, fpe, aic, aicc, bic}) {
    const std::string why = criterion.undefined_for(box, at_rows);
    EXPECT_NE(why.find("Stein"), std::string::npos) << criterion.name << ": " << why;
    EXPECT_NE(why.find("use basic"), std::string::npos) << criterion.name;
  }
  EXPECT_TRUE(std::isnan(box.sums(std::vector{1.0}, 0)[0].df));
  const CriterionCurve fallen_back = curve_of(sic, box, {0.5, 1}, 1),
                       asked = curve_of(basic, box, {0.5, 1}, 1);
  EXPECT_EQ(fallen_back.covariance, "residual bootstrap, 200 replications");
  EXPECT_EQ(fallen_back.value, asked.value);
  EXPECT_TRUE(asked.value.allFinite());
}

TEST(BlackBox, HasNothingAwayFromItsRows) {
  Random random(6);
  const PathLearner box = learner_of(soft_threshold, random.normal_vector(10));
  EXPECT_FALSE(box.has_inputs());
  EXPECT_NE(cv.undefined_for(box, at_rows), "");
  EXPECT_NE(loo.undefined_for(box, at_rows), "");
  EXPECT_NE(rsic.undefined_for(box, at_rows), "");
  EXPECT_NE(evidence.undefined_for(box, at_rows), "");
  const Metric elsewhere{Metric::Kind::points, metric_points(Matrix::Ones(3, 1)), "test"};
  EXPECT_NE(sic.undefined_for(box, elsewhere), "");
  EXPECT_NE(basic.undefined_for(box, elsewhere), "");
  EXPECT_NE(sic.undefined_for(box, {Metric::Kind::function_space, {}, "function-space"}), "");
  EXPECT_THROW(box.fit(std::vector{1.0}), Error);
  EXPECT_THROW(box.automatic_grid(), Error);
  EXPECT_THROW(box.features_at(Matrix::Ones(1, 1)), Error);
  EXPECT_THROW(box.smoother(), Error);
}

TEST(BlackBox, WeightsCountRows) {
  // A row of weight k is k equal rows: the same residual sum, and the same bootstrap up to its own error.
  Random random(8);
  const Vector y = signal(12) + random.normal_vector(12);
  Vector weight(12);
  for (Index i = 0; i < 12; ++i) weight[i] = static_cast<double>(1 + i % 3);
  const PathLearner weighted = learner_of(soft_threshold, y, Dependence::continuous, weight);
  std::vector<Index> rows;
  for (Index i = 0; i < 12; ++i) rows.insert(rows.end(), static_cast<std::size_t>(weight[i]), i);
  const PathLearner repeated = learner_of(soft_threshold, y(rows));
  const auto a = weighted.sums(std::vector{0.7}, 0), b = repeated.sums(std::vector{0.7}, 0);
  EXPECT_NEAR(weighted.count(), repeated.count(), 0);
  EXPECT_NEAR(a[0].z2g2, b[0].z2g2, 1e-12 * b[0].z2g2);
  EXPECT_NEAR(weighted.total(0), repeated.total(0), 1e-12 * repeated.total(0));
}

TEST(BlackBox, RefusesInWords) {
  EXPECT_THROW(BlackBox(soft_threshold, Dependence::affine), Error);
  EXPECT_THROW(BlackBox(soft_threshold, Dependence::differentiable), Error);
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message([] {
              learner_of([](const Vector& y, double) { return Vector(y.head(3)); }, Vector::Ones(5))
                  .sums(std::vector{1.0}, 0);
            }),
            "the black box returned 3 fitted values for 5 rows");
  EXPECT_NE(message([] { learner_of(soft_threshold, Vector::Constant(3, undefined)); }), "accepted");
  EXPECT_NE(
      message([] { learner_of(soft_threshold, Vector::Ones(3), Dependence::continuous, Vector::Ones(2)); }),
      "accepted");
  EXPECT_NE(
      message([] { learner_of(soft_threshold, Vector::Ones(3), Dependence::continuous, Vector::Zero(3)); }),
      "accepted");
}

TEST(BlackBox, AFitThatIsNotFiniteHasNoValue) {
  Random random(9);
  const Vector y = random.normal_vector(15);
  const PathLearner box = learner_of(
      [](const Vector& v, double lambda) { return lambda > 1 ? Vector(v * undefined) : Vector(v / 2); }, y);
  for (const auto& criterion : {sic, basic, sure, cp, gcv, aic, bic}) {
    const Vector value = curve_of(criterion, box, {0.5, 2}, 1).value;
    EXPECT_TRUE(std::isfinite(value[0])) << criterion.name;
    EXPECT_TRUE(std::isnan(value[1])) << criterion.name;
  }
}

}  // namespace
}  // namespace gnomon::testing::black_box_test
