// Contracts for the whole catalogue of criteria: finite, permutation, scaling and shift invariances, unit
// weights, undefined where they must be, kinds told apart.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>

#include "../learn/cases.hpp"
#include "harness.hpp"
#include "represent/gram.hpp"

namespace gnomon::testing::contract_test {
namespace {

struct ToyProblem {
  Data data = make_data(30, 2, 17, false);
  SmootherOptions options{
      .representation = parse_kernel("matern52", 1.1), .filter = tikhonov, .needs = {.leave_one_out = true}};
  std::vector<double> lambdas{0.3, 1, 5, 50};
};

class CriterionContract : public ::testing::TestWithParam<Criterion> {
 protected:
  const Criterion& criterion = GetParam();
  ToyProblem setup;
  double sigma2 = 0.09;

  Vector values(const Data& data, const SmootherOptions& options, double noise,
                Metric::Kind kind = Metric::Kind::train) const {
    const Smoother smoother(data.x, data.y, data.weight, options);
    return Judge{smoother, setup.lambdas, Judge::known(noise), {kind, {}, ""}}.curve(criterion).value;
  }
};

TEST_P(CriterionContract, IsFiniteAndSaysWhatItEstimates) {
  EXPECT_TRUE(values(setup.data, setup.options, sigma2).allFinite());
  EXPECT_FALSE(criterion.estimates.empty());
}

TEST_P(CriterionContract, ScalesWithTheTarget) {
  Data scaled = setup.data;
  scaled.y *= 3;
  const Vector a = values(setup.data, setup.options, sigma2), b = values(scaled, setup.options, 9 * sigma2);
  const ErrorKind kind = criterion.kind({});
  for (Index k = 0; k < a.size(); ++k) {
    if (kind == ErrorKind::prediction || kind == ErrorKind::function_space) {
      EXPECT_NEAR(b[k], 9 * a[k], 1e-9 * std::abs(b[k]));
    } else {  // a log scale: scaling adds the same constant everywhere
      EXPECT_NEAR(b[k] - a[k], b[0] - a[0], 1e-8);
    }
  }
}

TEST_P(CriterionContract, ShiftingInputsOrTargetChangesNothing) {
  Data moved = setup.data;
  moved.x.array() += 8;
  moved.y.array() += 100;
  moved.x = (moved.x.array() * 4096).round() / 4096;  // so that the shift back is exact
  Data home = moved;
  home.x.array() -= 8;
  home.y = setup.data.y;
  const Vector a = values(home, setup.options, sigma2), b = values(moved, setup.options, sigma2);
  for (Index k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-8 * std::max(1.0, std::abs(a[k])));
}

TEST_P(CriterionContract, RowOrderDoesNotMatter) {
  if ((criterion.needs() == Account::held_out))
    return;  // its folds are drawn by position: tested where folds are permuted along
  Random random(3);
  const auto order = random.permutation(setup.data.x.rows());
  const Data permuted{setup.data.x(order, Eigen::all), setup.data.y(order, Eigen::all), Vector()};
  const Vector a = values(setup.data, setup.options, sigma2), b = values(permuted, setup.options, sigma2);
  for (Index k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-9 * std::max(1.0, std::abs(a[k])));
}

TEST_P(CriterionContract, UnitWeightsChangeNothing) {
  Data weighted = setup.data;
  weighted.weight = Vector::Ones(30);
  EXPECT_EQ(values(setup.data, setup.options, sigma2), values(weighted, setup.options, sigma2));
}

TEST_P(CriterionContract, WeightsCountRows) {
  if ((criterion.needs() == Account::held_out)) return;  // copies of a row may fall into different folds
  Data weighted = make_data(25, 2, 23, true);
  const Vector a = values(weighted, setup.options, sigma2),
               b = values(repeated(weighted), setup.options, sigma2);
  for (Index k = 0; k < a.size(); ++k)
    EXPECT_NEAR(a[k], b[k], 1e-8 * std::max(1.0, std::abs(a[k])))
        << setup.lambdas[static_cast<std::size_t>(k)];
}

TEST_P(CriterionContract, IsDefinedOrSaysWhyForEveryLearner) {
  for (const auto& filter : {tikhonov, coefficient_tikhonov, spectral_cutoff, landweber}) {
    SmootherOptions options = setup.options;
    options.filter = filter;
    options.needs.leave_one_out = filter.closed_form_deletion;
    const Smoother smoother(setup.data.x, setup.data.y, Vector(), options);
    const Metric metric{Metric::Kind::train, {}, "train"};
    if (const std::string why = criterion.undefined_for(smoother, metric); !why.empty()) {
      EXPECT_GT(why.size(), 10u);
      continue;
    }
    const CriterionCurve curve = Judge{smoother, setup.lambdas, Judge::known(sigma2)}.curve(criterion);
    EXPECT_TRUE(curve.value.array().isFinite().any()) << filter.name;
    if (curve.standard_error.size()) {
      EXPECT_TRUE((curve.standard_error.array() >= 0).all()) << filter.name;
    }
  }
}

TEST_P(CriterionContract, UnknownNoiseMakesItUndefinedExactlyWhereItIsNeeded) {
  const Vector v = values(setup.data, setup.options, undefined);
  EXPECT_EQ(v.array().isNaN().all(), criterion.needs_noise);
}

/// All but those that need importance weights, which smoothers do not have.
std::vector<Criterion> criteria_of_smoothers() {
  std::vector<Criterion> list;
  for (const Criterion& c : criteria_catalog()) {
    if (c.name != "iwcv" && c.name != "iwloo") list.push_back(c);
  }
  return list;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, CriterionContract, ::testing::ValuesIn(criteria_of_smoothers()),
                         [](const auto& param) {
                           std::string name(param.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// ---------------------------------------------------------------- each against its definition, the slow way

TEST(Definitions, TraceCriteriaFromTheHatMatrix) {
  const ToyProblem setup;
  const Smoother smoother(setup.data.x, setup.data.y, Vector(), setup.options);
  const Judge judge{smoother, setup.lambdas, Judge::known(0.09)};
  const Index n = 30;
  const Matrix kernel = gram(parse_kernel("matern52", 1.1), setup.data.x);
  const Matrix c = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / n), kc = c * kernel * c;
  for (std::size_t k = 0; k < setup.lambdas.size(); ++k) {
    const double lambda = setup.lambdas[k];
    const Matrix inverse = (kc + lambda * Matrix::Identity(n, n)).ldlt().solve(Matrix::Identity(n, n));
    const Matrix hat = kc * inverse + Matrix::Constant(n, n, 1.0 / n);
    const Vector y = setup.data.y, residual = y - hat * y;
    const double rss = residual.squaredNorm(), df = hat.trace();
    const auto at = [&](const Criterion& criterion) {
      return judge.curve(criterion).value[static_cast<Index>(k)];
    };
    EXPECT_NEAR(at(gcv), n * rss / ((n - df) * (n - df)), 1e-9);
    EXPECT_NEAR(at(cp), (rss + 2 * 0.09 * df) / n, 1e-10);
    EXPECT_NEAR(at(sure), rss / n - 0.09 + 2 * 0.09 * df / n, 1e-10);
    EXPECT_NEAR(at(fpe), rss / n * (n + df) / (n - df), 1e-9);
    const double fit = n * std::log(2 * 3.14159265358979324 * rss / n) + n;
    EXPECT_NEAR(at(aic), fit + 2 * (df + 1), 1e-7);
    EXPECT_NEAR(at(bic), fit + std::log(30.0) * (df + 1), 1e-7);
    EXPECT_NEAR(at(aicc), fit + 2 * (df + 1) * n / (n - df - 2), 1e-7);
    // Evidence: the Gaussian process with covariance s²(I + K/λ) and a flat prior on the constant, densely.
    const Matrix v = Matrix::Identity(n, n) + kernel / lambda;
    const auto factor = v.ldlt();
    const Vector ones = Vector::Ones(n), vi1 = factor.solve(ones);
    const double mean = vi1.dot(y) / vi1.dot(ones);
    const Vector e = y.array() - mean;
    const double s2 = e.dot(factor.solve(e)) / (n - 1);
    const double expected = (n - 1) * (std::log(2 * 3.14159265358979324 * s2) + 1) +
                            factor.vectorD().array().log().sum() + std::log(vi1.dot(ones));
    EXPECT_NEAR(at(evidence), expected, 1e-7);
  }
}

TEST(Definitions, SicOnPointsAtLambdaZeroIsInvariantToTheBasis) {
  // Φ → ΦT with U → TᵀUT leaves the criterion of least squares unchanged.
  const Data data = make_data(30, 4, 19, false);
  Random random(4);
  Matrix t(4, 4);
  for (Index j = 0; j < 4; ++j) t.col(j) = random.normal_vector(4);
  Matrix points(50, 4);
  for (Index j = 0; j < 4; ++j) points.col(j) = random.normal_vector(50);
  const auto value = [&](const Matrix& x, const Matrix& p) {
    const Smoother smoother(
        x, data.y, Vector(),
        {.representation = Basis::fit("linear", x), .filter = tikhonov, .intercept = false});
    return Judge{smoother, {0.0}, Judge::known(0.1), {Metric::Kind::points, metric_points(p), ""}}
        .curve(sic)
        .value[0];
  };
  EXPECT_NEAR(value(data.x, points), value(data.x * t, points * t), 1e-9);
}

TEST(Definitions, SicAgainstAPilotAtZeroIsSic) {
  const ToyProblem setup;
  const Smoother smoother(setup.data.x, setup.data.y, Vector(), setup.options);
  Judge judge{smoother, setup.lambdas, Judge::known(0.09), {Metric::Kind::train, {}, ""}, 0};
  const Vector a = judge.curve(sic_pilot).value, b = judge.curve(sic).value;
  for (Index k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-9);
}

TEST(Definitions, CrossValidationAveragesFoldMeans) {
  const ToyProblem setup;
  const Smoother smoother(setup.data.x, setup.data.y, Vector(), setup.options);
  const Judge judge{smoother, setup.lambdas, Judge::known(0.09)};
  const CriterionCurve curve = judge.curve(cv);
  const FoldErrors errors = smoother.fold_errors(setup.lambdas, 0, random_folds(30, 5, 7, 0));
  for (Index k = 0; k < curve.value.size(); ++k) {
    EXPECT_NEAR(curve.value[k], (errors.sums.col(k).array() / errors.weights.array()).mean(), 1e-12);
    EXPECT_GT(curve.standard_error[k], 0);
  }
}

TEST(Definitions, BlockedCrossValidationHoldsOutConsecutiveRows) {
  const ToyProblem setup;
  const Smoother smoother(setup.data.x, setup.data.y, Vector(), setup.options);
  const CriterionCurve curve = Judge{smoother, setup.lambdas, Judge::known(0.09)}.curve(cv_blocked);
  const FoldErrors errors = smoother.fold_errors(setup.lambdas, 0, blocked_folds(30, 5));
  for (Index k = 0; k < curve.value.size(); ++k)
    EXPECT_NEAR(curve.value[k], (errors.sums.col(k).array() / errors.weights.array()).mean(), 1e-12);
}

}  // namespace
}  // namespace gnomon::testing::contract_test
