// Contracts for every learner that is not linear in y under every criterion of the catalogue.

#include <gtest/gtest.h>

#include "../learn/path_cases.hpp"
#include "harness.hpp"

namespace gnomon::testing::path_criteria_test {
namespace {

const Metric at_rows{Metric::Kind::train, {}, "train"};

struct Setting {
  double unit = 1;  // of the target: everything measured in it is scaled
  std::uint64_t seed = 7;
  bool intercept = true;
  Metric metric = at_rows;
  Divergence divergence = Divergence::best;
};

class PathContract : public ::testing::TestWithParam<PathCase> {
 protected:
  const PathCase& test = GetParam();
  Data data = make_data(28, 3, 61, false);
  static constexpr double sigma2 = 0.09;

  CriterionCurve curve(const Criterion& criterion, const Data& each, const Setting& setting = {}) const {
    PathLearnerOptions options = test.options(each.x, setting.intercept, setting.unit);
    options.divergence = setting.divergence;
    const PathLearner learner(std::make_shared<const Matrix>(each.x), each.y, each.weight, options);
    const std::vector<double> lambdas = test.lambdas_at(setting.unit);
    const NoiseVariance noise = Judge::known(sigma2 * setting.unit * setting.unit);
    const Progress progress;
    return criterion.evaluate(
        {learner, 0, lambdas, noise, setting.metric, 1, 4, 1, setting.seed, progress, {.replications = 20}});
  }
  Metric elsewhere() const {
    Random random(55);
    Matrix points(9, 3);
    for (Index j = 0; j < 3; ++j) points.col(j) = random.uniform_vector(9, 0, 3);
    return {Metric::Kind::points, metric_points(points), "test"};
  }
  /// The evidence of Huber needs a prior, that is λ > 0; nothing else is undefined at some λ of these paths.
  bool defined(const Criterion& criterion, const Data& each, const Metric& metric = at_rows) const {
    return criterion.undefined_for(test.learner(each), metric).empty() && !lacks_prior(criterion);
  }
  bool lacks_prior(const Criterion& criterion) const {
    return (criterion.name == "evidence" || criterion.name == "blend") && test.lambdas.front() == 0;
  }
  static bool random(const Criterion& criterion) {
    return (criterion.needs() == Account::held_out) || criterion.name == "basic";
  }
};

void expect_close(const Vector& a, const Vector& b, double tolerance, std::string_view what) {
  ASSERT_EQ(a.size(), b.size());
  for (Index k = 0; k < a.size(); ++k)
    EXPECT_NEAR(a[k], b[k], tolerance * std::max({1e-3, std::abs(a[k]), std::abs(b[k])}))
        << what << " at " << k;
}

TEST_P(PathContract, FiniteOrSaysWhy) {
  Data weighted = make_data(28, 3, 61, true);
  for (const auto& criterion : criteria_catalog()) {
    for (const Data* each : {&data, &weighted}) {
      for (const Metric& metric :
           {at_rows, elsewhere(), Metric{Metric::Kind::function_space, {}, "function-space"}}) {
        const std::string why = criterion.undefined_for(test.learner(*each), metric);
        if (!why.empty()) {
          EXPECT_GT(why.size(), 10u) << criterion.name;
          EXPECT_EQ(why.find('\n'), std::string::npos);
          continue;
        }
        if (lacks_prior(criterion)) continue;
        for (const bool intercept : {false, true}) {
          const CriterionCurve c = curve(criterion, *each, {.intercept = intercept, .metric = metric});
          ASSERT_EQ(c.value.size(), static_cast<Index>(test.lambdas.size())) << criterion.name;
          EXPECT_TRUE(c.value.allFinite()) << criterion.name << " " << metric.description;
          if (c.standard_error.size()) {
            EXPECT_TRUE((c.standard_error.array() >= 0).all()) << criterion.name;
          }
        }
      }
    }
  }
}

TEST_P(PathContract, EvidenceIsOfPosteriorsAndPilotsAreLinear) {
  EXPECT_EQ(defined(evidence, data), test.name == "huber_ridge");
  EXPECT_FALSE(defined(rsic, data));
  EXPECT_FALSE(defined(sic_pilot, data));
  for (const auto& criterion : {sic, basic, sure, cp, gcv, loo, cv, fpe, aic, aicc, bic})
    EXPECT_TRUE(defined(criterion, data)) << criterion.name;
}

TEST_P(PathContract, ScalesWithTheTarget) {
  const double c = 4;
  Data scaled = data;
  scaled.y *= c;
  for (const auto& criterion : criteria_catalog()) {
    if (!defined(criterion, data)) continue;
    const Vector a = curve(criterion, data).value, b = curve(criterion, scaled, {.unit = c}).value;
    if (criterion.kind(at_rows) == ErrorKind::prediction) {
      expect_close(c * c * a, b, 1e-7, criterion.name);
    } else {                          // a log scale: scaling adds the same constant everywhere
      const double in_evidence = 27;  // the offset is integrated out
      const double free = criterion.name == "evidence" ? in_evidence
                          : criterion.name == "blend"  ? 0.75 * 28 + 0.25 * in_evidence
                                                       : 28;
      for (Index k = 0; k < a.size(); ++k)
        EXPECT_NEAR(b[k] - a[k], free * std::log(c * c), 1e-6) << criterion.name;
    }
  }
  if (test.kernel) return;
  for (const auto& criterion : {sic, basic})
    expect_close(c * c * curve(criterion, data, {.metric = elsewhere()}).value,
                 curve(criterion, scaled, {.unit = c, .metric = elsewhere()}).value, 1e-7, criterion.name);
}

TEST_P(PathContract, ShiftingTheTargetChangesNothingWithAnIntercept) {
  Data moved = data;
  moved.y.array() += 64;
  for (const auto& criterion : criteria_catalog()) {
    if (!defined(criterion, data)) continue;
    expect_close(curve(criterion, data).value, curve(criterion, moved).value, 1e-6, criterion.name);
  }
}

TEST_P(PathContract, RowOrderDoesNotMatter) {
  Random order_of(3);
  const auto order = order_of.permutation(28);
  const Data permuted{data.x(order, Eigen::all), data.y(order, Eigen::all), Vector()};
  for (const auto& criterion : criteria_catalog()) {
    if (!defined(criterion, data) || random(criterion))
      continue;  // folds and residuals are drawn by position
    expect_close(curve(criterion, data).value, curve(criterion, permuted).value, 1e-7, criterion.name);
  }
}

TEST_P(PathContract, UnitWeightsChangeNothing) {
  Data weighted = data;
  weighted.weight = Vector::Ones(28);
  for (const auto& criterion : criteria_catalog()) {
    if (!defined(criterion, data)) continue;
    ASSERT_TRUE(defined(criterion, weighted)) << criterion.name;
    expect_close(curve(criterion, data).value, curve(criterion, weighted).value, 1e-8, criterion.name);
  }
  if (test.kernel) return;
  for (const auto& criterion : {sic, basic})
    expect_close(curve(criterion, data, {.metric = elsewhere()}).value,
                 curve(criterion, weighted, {.metric = elsewhere()}).value, 1e-8, criterion.name);
}

TEST_P(PathContract, WeightsCountRows) {
  const Data weighted = make_data(20, 3, 23, true), copies = repeated(weighted);
  for (const auto& criterion : criteria_catalog()) {
    if (!defined(criterion, weighted) || random(criterion)) continue;
    expect_close(curve(criterion, weighted).value, curve(criterion, copies).value, 1e-6, criterion.name);
  }
  if (test.kernel) return;
  expect_close(curve(sic, weighted, {.metric = elsewhere()}).value,
               curve(sic, copies, {.metric = elsewhere()}).value, 1e-6, "sic elsewhere");
}

TEST_P(PathContract, ThreadsDoNotChangeABit) {
  const int before = threads();
  for (const auto& criterion : criteria_catalog()) {
    if (!defined(criterion, data)) continue;
    set_threads(1);
    const CriterionCurve one = curve(criterion, data);
    set_threads(2);
    const CriterionCurve two = curve(criterion, data);
    set_threads(before);
    EXPECT_EQ(one.value, two.value) << criterion.name;
    EXPECT_EQ(one.standard_error, two.standard_error) << criterion.name;
  }
}

TEST_P(PathContract, SeedsMatterToRandomCriteriaAlone) {
  for (const auto& criterion : criteria_catalog()) {
    if (!defined(criterion, data)) continue;
    const Vector a = curve(criterion, data, {.seed = 1}).value, b = curve(criterion, data, {.seed = 1}).value,
                 c = curve(criterion, data, {.seed = 2}).value;
    EXPECT_EQ(a, b) << criterion.name;
    EXPECT_EQ(a == c, !random(criterion) || criterion.name == "cv-blocked") << criterion.name;
  }
}

TEST_P(PathContract, TheCurveNamesItsCovarianceTerm) {
  EXPECT_EQ(curve(sic, data).covariance, test.name == "additive" ? "trace" : "exact Stein divergence");
  EXPECT_EQ(curve(sic, data, {.divergence = Divergence::exact}).covariance, curve(sic, data).covariance);
  EXPECT_EQ(curve(sic, data, {.divergence = Divergence::monte_carlo}).covariance, "Monte-Carlo divergence");
  EXPECT_EQ(curve(basic, data).covariance, "residual bootstrap, 20 replications");
  EXPECT_EQ(curve(gcv, data).covariance, "");
}

TEST_P(PathContract, UnknownNoiseMakesItUndefinedExactlyWhereItIsNeeded) {
  const PathLearner learner = test.learner(data);
  const NoiseVariance noise = Judge::known(undefined);
  const Progress progress;
  for (const auto& criterion : criteria_catalog()) {
    if (!defined(criterion, data)) continue;
    const Vector value =
        criterion
            .evaluate({learner, 0, test.lambdas, noise, at_rows, 1, 4, 1, 7, progress, {.replications = 5}})
            .value;
    EXPECT_EQ(value.array().isNaN().all(), criterion.needs_noise) << criterion.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Learners, PathContract, ::testing::ValuesIn(path_cases(0.3)), case_name);

TEST(PathCriteria, WithoutAShiftAdditiveRegularizationIsRidge) {
  const Data data = make_data(26, 3, 71, true);
  const PathCase additive{"additive", {0.5, 3, 40}, [](double) { return additive_factory(0); }};
  Random random(5);
  Matrix points(9, 3);
  for (Index j = 0; j < 3; ++j) points.col(j) = random.uniform_vector(9, 0, 3);
  const NoiseVariance noise = Judge::known(0.2);
  const Progress progress;
  for (const bool intercept : {false, true}) {
    const PathLearner solved = additive.learner(data, intercept);
    const Smoother ridge(
        data.x, data.y, data.weight,
        {.representation = Basis::fit("linear", data.x), .filter = tikhonov, .intercept = intercept});
    for (const Metric& metric : {at_rows, Metric{Metric::Kind::points, metric_points(points), "test"}}) {
      for (const auto& criterion : {sic, sure, cp, gcv, fpe, aic, aicc, bic, cv}) {
        const auto value = [&](const Learner& learner) {
          return criterion.evaluate({learner, 0, additive.lambdas, noise, metric, 1, 4, 1, 7, progress})
              .value;
        };
        expect_close(value(solved), value(ridge), 1e-8, criterion.name);
      }
    }
  }
}

TEST(PathCriteria, AWideTauHuberIsRidgeToo) {
  const Data data = make_data(26, 3, 72, false);
  const PathCase huber{"huber", {0.5, 3, 40}, [](double) { return huber_factory(1e6); }};
  const PathLearner solved = huber.learner(data);
  const Smoother ridge(data.x, data.y, data.weight,
                       {.representation = Basis::fit("linear", data.x), .filter = tikhonov});
  const NoiseVariance noise = Judge::known(0.2);
  const Progress progress;
  for (const auto& criterion : {sic, sure, cp, gcv, loo, cv, gen, nic, fper, gpe, evidence}) {
    const auto value = [&](const Learner& learner) {
      return criterion.evaluate({learner, 0, huber.lambdas, noise, at_rows, 1, 4, 1, 7, progress}).value;
    };
    expect_close(value(solved), value(ridge), 1e-8, criterion.name);
  }
}

TEST(PathCriteria, LeastSquaresMakesLassoSicThatOfRidgeAtZero) {
  const Data data = make_data(26, 3, 73, false);
  const PathCase lasso{"lasso", {0}, [](double) { return net_factory(1); }};
  const PathLearner solved = lasso.learner(data);
  const Smoother ridge(data.x, data.y, data.weight,
                       {.representation = Basis::fit("linear", data.x), .filter = tikhonov});
  const NoiseVariance noise = Judge::known(0.2);
  const Progress progress;
  for (const auto& criterion : {sic, sure, gcv, bic}) {
    const auto value = [&](const Learner& learner) {
      return criterion.evaluate({learner, 0, lasso.lambdas, noise, at_rows, 1, 4, 1, 7, progress}).value;
    };
    expect_close(value(solved), value(ridge), 1e-8, criterion.name);
  }
}

}  // namespace
}  // namespace gnomon::testing::path_criteria_test
