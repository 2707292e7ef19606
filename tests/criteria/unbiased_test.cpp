// A criterion that is called unbiased is simulated: its mean lies within three standard errors of the truth.

#include <gtest/gtest.h>

#include "harness.hpp"
#include "reference/kernel_risk.hpp"

namespace gnomon::testing::unbiased_test {
namespace {

using reference::kernel_risk_of;

double sinc(double x) { return x == 0 ? 1 : std::sin(x) / x; }

struct KernelToy {
  Matrix x;
  Vector f;
  Kernel kernel;

  KernelToy(Index n, double width, std::uint64_t seed) : kernel(parse_kernel("gaussian", width)) {
    Random random(seed);
    x = random.uniform_vector(n, -3.14159265358979, 3.14159265358979);
    f.resize(n);
    for (Index i = 0; i < n; ++i) f[i] = sinc(x(i, 0));
  }
  Smoother with(const Vector& y, const Filter& filter, bool intercept = false) const {
    return Smoother(x, y, Vector(),
                    {.representation = kernel,
                     .filter = filter,
                     .intercept = intercept,
                     .strategy = Strategy::full,
                     .range_tolerance = -1});
  }
};

const std::vector<double> grid{1e-2, 1e-1, 1, 10};

TEST(Unbiased, FullSicInFunctionSpaceAtTwelvePoints) {
  const KernelToy toy(12, 0.35, 5);
  const double sigma2 = 0.05;
  for (const auto& filter : {coefficient_tikhonov, tikhonov}) {
    const Vector truth = kernel_risk_of(toy.with(toy.f, filter), grid, sigma2).risk;
    std::vector<Running> mean(grid.size());
    Random random(101);
    for (int draw = 0; draw < 4000; ++draw) {
      const Vector y = toy.f + std::sqrt(sigma2) * random.normal_vector(12);
      const Smoother smoother = toy.with(y, filter);
      const Judge judge{smoother, grid, Judge::known(sigma2), {Metric::Kind::function_space, {}, ""}};
      const CriterionCurve curve = judge.curve(sic);
      const auto constant = sic_constant(smoother.spectrum(), 0, sigma2);
      ASSERT_TRUE(constant.has_value());
      EXPECT_EQ(*curve.constant, *constant);
      for (std::size_t k = 0; k < grid.size(); ++k)
        mean[k].add(curve.value[static_cast<Index>(k)] + *constant);
    }
    for (std::size_t k = 0; k < grid.size(); ++k)
      EXPECT_LT(mean[k].z(truth[static_cast<Index>(k)]), 3) << filter.name << " " << grid[k];
  }
}

TEST(Unbiased, SelectionSicInFunctionSpaceForAnyNoiseLaw) {
  // Uniform, not Gaussian, noise: the linear case asks only for its variance.
  const KernelToy toy(50, 1, 6);
  const double sigma2 = 0.09;
  const Vector truth = kernel_risk_of(toy.with(toy.f, coefficient_tikhonov), grid, sigma2).selection;
  std::vector<Running> mean(grid.size());
  Random random(102);
  for (int draw = 0; draw < 1500; ++draw) {
    const double half = std::sqrt(3 * sigma2);
    const Vector y = toy.f + random.uniform_vector(50, -half, half);
    const Smoother smoother = toy.with(y, coefficient_tikhonov);
    const Vector value =
        Judge{smoother, grid, Judge::known(sigma2), {Metric::Kind::function_space, {}, ""}}.curve(sic).value;
    for (std::size_t k = 0; k < grid.size(); ++k) mean[k].add(value[static_cast<Index>(k)]);
  }
  for (std::size_t k = 0; k < grid.size(); ++k)
    EXPECT_LT(mean[k].z(truth[static_cast<Index>(k)]), 3) << grid[k];
}

TEST(Unbiased, ThePrintedPlusSignFails) {
  // The bias estimate with + σ² tr(K(X−K⁺)²), as once printed, instead of minus: its mean must be far off.
  const KernelToy toy(12, 0.35, 5);
  const double sigma2 = 0.05;
  const Vector truth = kernel_risk_of(toy.with(toy.f, coefficient_tikhonov), grid, sigma2).risk;
  Running printed;
  Random random(103);
  const std::size_t k = 2;
  for (int draw = 0; draw < 1000; ++draw) {
    const Smoother smoother =
        toy.with(toy.f + std::sqrt(sigma2) * random.normal_vector(12), coefficient_tikhonov);
    const Spectrum& s = smoother.spectrum();
    double value = 0;
    for (Index i = 0; i < s.values.size(); ++i) {
      const double d = s.values[i], x = d / (d * d + grid[k]), difference = x - 1 / d;
      value += d * difference * difference * (s.squared(i, 0) + sigma2) + sigma2 * d * x * x;
    }
    printed.add(value);
  }
  EXPECT_GT(printed.z(truth[static_cast<Index>(k)]), 10);
}

struct BasisToy {
  Matrix x, phi, points;
  Vector beta, f;

  explicit BasisToy(Index n, Index p) {
    Random random(9);
    x.resize(n, p);
    for (Index j = 0; j < p; ++j) x.col(j) = random.normal_vector(n);
    points.resize(200, p);
    for (Index j = 0; j < p; ++j)
      points.col(j) = 0.5 * random.normal_vector(200).array() + 1;  // inputs from elsewhere
    beta = random.normal_vector(p);
    f = x * beta;
  }
  Smoother with(const Vector& y, bool intercept) const {
    return Smoother(x, y, Vector(),
                    {.representation = Basis::fit("linear", x), .filter = tikhonov, .intercept = intercept});
  }
  /// ‖f̂ − f‖² at the points less ‖f‖², the intercept's own terms (which no λ changes) taken out of both
  /// sides.
  double truth(const Smoother& smoother, double lambda, bool intercept) const {
    const Vector error = smoother.coefficients(lambda, 0) - beta;
    Matrix centred = points;
    if (intercept) centred.rowwise() -= x.colwise().mean();
    const double m = static_cast<double>(points.rows());
    return (centred * error).squaredNorm() / m - (centred * beta).squaredNorm() / m;
  }
};

TEST(Unbiased, SicOnTestPointsAndTrainingInputs) {
  const BasisToy toy(20, 5);
  const double sigma2 = 1;
  for (const bool intercept : {false, true}) {
    Running points_gap, sure_gap, cp_gap, train_gap, deviation, spread;
    Random random(104);
    const std::vector<double> lambda{3};
    for (int draw = 0; draw < 6000; ++draw) {
      const Vector y = toy.f + random.normal_vector(20);
      const Smoother smoother = toy.with(y, intercept);
      Judge judge{
          smoother, lambda, Judge::known(sigma2), {Metric::Kind::points, metric_points(toy.points), "test"}};
      const CriterionCurve on_points = judge.curve(sic);
      points_gap.add(on_points.value[0] - toy.truth(smoother, 3, intercept));
      deviation.add(on_points.standard_error[0] * on_points.standard_error[0]);
      spread.add(on_points.value[0]);
      const double risk = (smoother.fitted(3, 0) - toy.f).squaredNorm() / 20;
      sure_gap.add(judge.curve(sure).value[0] - risk);
      cp_gap.add(judge.curve(cp).value[0] - risk - sigma2);
      judge.metric = {Metric::Kind::train, {}, "train"};
      // C_L less ‖y‖²/n, its mean and σ²: the same risk up to what λ cannot change.
      Vector centred = y;
      if (intercept) centred.array() -= y.mean();
      train_gap.add(judge.curve(sic).value[0] + centred.squaredNorm() / 20 +
                    (intercept ? 2 * sigma2 / 20 : 0) - sigma2 - risk);
    }
    EXPECT_LT(points_gap.z(0), 3);
    EXPECT_LT(sure_gap.z(0), 3);
    EXPECT_LT(cp_gap.z(0), 3);
    EXPECT_LT(train_gap.z(0), 3);
    // The standard error is honest: its mean square is the variance of the criterion (6000 draws: within 10
    // %).
    EXPECT_NEAR(deviation.mean() / (spread.deviation() * spread.deviation()), 1, 0.1);
  }
}

TEST(Unbiased, SicOnPointsIsBiasedWithoutAnUnbiasedReference) {
  // Fewer rows than columns: Φ⁺ y estimates only a projection, and on other inputs that is not the target.
  const BasisToy toy(8, 20);
  Running gap;
  Random random(105);
  for (int draw = 0; draw < 500; ++draw) {
    const Smoother smoother = toy.with(toy.f + random.normal_vector(8), false);
    const Judge judge{
        smoother, {1.0}, Judge::known(1), {Metric::Kind::points, metric_points(toy.points), "test"}};
    gap.add(judge.curve(sic).value[0] - toy.truth(smoother, 1, false));
  }
  EXPECT_GT(gap.z(0), 5);
}

TEST(Unbiased, FunctionSpaceStandardErrorMatchesTheSpread) {
  const KernelToy toy(30, 0.6, 8);
  const double sigma2 = 0.04;
  Running variance, value;
  Random random(106);
  for (int draw = 0; draw < 3000; ++draw) {
    const Smoother smoother = toy.with(toy.f + 0.2 * random.normal_vector(30), tikhonov, true);
    const CriterionCurve curve =
        Judge{smoother, {0.1}, Judge::known(sigma2), {Metric::Kind::function_space, {}, ""}}.curve(sic);
    value.add(curve.value[0]);
    variance.add(curve.standard_error[0] * curve.standard_error[0]);
  }
  EXPECT_NEAR(variance.mean() / (value.deviation() * value.deviation()), 1, 0.12);
}

TEST(Unbiased, LeaveOneOutEstimatesTheErrorOfNewData) {
  // n−1 rows learn, one is judged: over random inputs the mean is the prediction error at n−1.
  Running loo_value, truth;
  Random random(107);
  const double lambda = 0.5;
  for (int draw = 0; draw < 600; ++draw) {
    Matrix x = random.uniform_vector(25, -3, 3);
    Vector y(25);
    for (Index i = 0; i < 25; ++i) y[i] = sinc(x(i, 0)) + 0.3 * random.normal();
    const SmootherOptions options{.representation = parse_kernel("gaussian", 1), .filter = tikhonov};
    loo_value.add(Smoother(x, y, Vector(), options).leave_one_out({&lambda, 1}, 0).value[0]);
    const LinearModel model = Smoother(x.topRows(24), y.head(24), Vector(), options).fit({&lambda, 1});
    Random fresh(108, static_cast<std::uint64_t>(draw));
    const Matrix test = fresh.uniform_vector(200, -3, 3);
    double error = 0;
    const Matrix prediction = model.predict(test);
    for (Index i = 0; i < 200; ++i) error += std::pow(prediction(i, 0) - sinc(test(i, 0)), 2);
    truth.add(error / 200 + 0.09);
  }
  const double both = std::hypot(loo_value.standard_error(), truth.standard_error());
  EXPECT_LT(std::abs(loo_value.mean() - truth.mean()) / both, 3);
}

}  // namespace
}  // namespace gnomon::testing::unbiased_test
