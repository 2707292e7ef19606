// The residual bootstrap and BASIC: against closed forms where there are any, by passed-in indices, reproducible.

#include <gtest/gtest.h>

#include "../criteria/harness.hpp"
#include "path_cases.hpp"

namespace gnomon::testing::bootstrap_test {
namespace {

const Metric at_rows{Metric::Kind::train, {}, "train"};

CriterionCurve curve_of(const Criterion& criterion, const Learner& learner,
                        const std::vector<double>& lambdas, double sigma2, const Metric& metric,
                        BootstrapOptions bootstrap = {}, std::uint64_t seed = 7) {
  const NoiseVariance noise = Judge::known(sigma2);
  const Progress progress;
  return criterion.evaluate({learner, 0, lambdas, noise, metric, 1, 5, 1, seed, progress, bootstrap});
}

Metric elsewhere(Index inputs) {
  Random random(55);
  Matrix points(12, inputs);
  for (Index j = 0; j < inputs; ++j) points.col(j) = random.uniform_vector(12, 0, 3);
  return {Metric::Kind::points, metric_points(points), "test"};
}

TEST(Bootstrap, IsTheMeanOverReplicatesOfTheirProducts) {
  // By hand, with indices passed in and a learner that is not linear.
  const Vector fitted{{1, 2, 3}}, residual{{0.5, -1, 2}};
  const std::vector<std::vector<Index>> rows{{0, 0, 2}, {1, 2, 0}};
  const BootstrapProblem problem{.learner = [](const Vector& y) { return Vector(y.array().square()); },
                                 .pairing = [](const Vector& e) { return Vector(2 * e); },
                                 .fitted = fitted,
                                 .residual = residual};
  double sum = 0;
  for (const auto& drawn : rows) {
    const Vector e = residual(drawn);
    sum += 2 * e.dot((fitted + e).cwiseAbs2());
  }
  const Resampling given = [&](Index b, std::vector<Index>& out) { out = rows[static_cast<std::size_t>(b)]; };
  EXPECT_NEAR(bootstrap_covariance(problem, given, 2), sum / 2, 1e-12);
}

TEST(Bootstrap, AnInterceptTakesTheMeanOutOfTheReferenceOnly) {
  const Vector residual{{1, 5}};
  for (const Vector& weight : {Vector(), Vector{{3, 1}}}) {
    Vector paired, seen;
    const BootstrapProblem problem{.learner =
                                       [&](const Vector& y) {
                                         seen = y;
                                         return y;
                                       },
                                   .pairing =
                                       [&](const Vector& e) {
                                         paired = e;
                                         return e;
                                       },
                                   .fitted = Vector::Zero(2),
                                   .residual = residual,
                                   .weight = weight,
                                   .intercept = true};
    bootstrap_covariance(
        problem,
        [](Index, std::vector<Index>& out) {
          out = {0, 1};
        },
        1);
    EXPECT_NEAR(weight.size() ? paired.dot(weight) : paired.sum(), 0, 1e-14);
    EXPECT_NEAR(paired[1] - paired[0], seen[1] - seen[0], 1e-14);
    if (weight.size() == 0) {
      EXPECT_LT((seen - residual).norm(), 1e-14);
    }
  }
}

TEST(Bootstrap, ResidualsAreTreatedAsAsked) {
  const Vector residual{{1, 2, 6}}, weight{{1, 2, 1}};
  EXPECT_EQ(treated_residuals(residual, Vector(), 1, {}), residual);
  EXPECT_LT((treated_residuals(residual, Vector(), 1, {.centred = true}) - Vector{{-2, -1, 3}}).norm(),
            1e-14);
  EXPECT_NEAR(treated_residuals(residual, weight, 1, {.centred = true}).dot(weight), 0, 1e-14);
  EXPECT_LT((treated_residuals(residual, Vector(), 2, {.rescaled = true}) - std::sqrt(3.0) * residual).norm(),
            1e-14);
  EXPECT_LT((treated_residuals(residual, weight, 3, {.rescaled = true}) - 2 * residual).norm(), 1e-14);
  EXPECT_TRUE(
      treated_residuals(residual, Vector(), 3, {.rescaled = true}).array().isNaN().all());  // nothing is left
}

TEST(Bootstrap, DrawsDependOnSeedAndReplicateAlone) {
  const auto draw = [](std::uint64_t seed, Index replicate) {
    std::vector<Index> rows(50);
    random_resampling(seed)(replicate, rows);
    return rows;
  };
  EXPECT_EQ(draw(3, 8), draw(3, 8));
  EXPECT_NE(draw(3, 8), draw(3, 9));
  EXPECT_NE(draw(3, 8), draw(4, 8));
  std::vector<int> counts(50);
  for (Index b = 0; b < 2000; ++b) {
    for (const Index row : draw(1, b)) ++counts[static_cast<std::size_t>(row)];
  }
  for (const int count : counts) EXPECT_NEAR(count, 2000, 5 * std::sqrt(2000.0));  // every row as often
}

/// Additive regularization with no shift is ridge, whose bootstrap has a closed form: the residuals' own mean square rss/n
/// times the trace (plus the square of their mean, which an intercept makes 0). With weights n is their sum, and row i has
/// noise of variance (rss/n)/w_i.
TEST(Bootstrap, OfALinearLearnerApproachesItsClosedForm) {
  for (const bool weighted : {false, true}) {
    const Data data = make_data(24, 3, 19, weighted);
    const PathCase additive{"additive", {0.5, 10}, [](double) { return additive_factory(0); }};
    const PathLearner solved = additive.learner(data);
    const Smoother ridge(data.x, data.y, data.weight,
                         {.representation = Basis::fit("linear", data.x), .filter = tikhonov});
    for (const Metric& metric : {at_rows, elsewhere(3)}) {
      for (const bool rescaled : {false, true}) {
        const BootstrapOptions often{.replications = 800, .centred = rescaled, .rescaled = rescaled};
        const CriterionCurve exact = curve_of(basic, ridge, additive.lambdas, 1, metric, often);
        EXPECT_NE(exact.covariance.find("closed form"), std::string::npos);
        const auto error_of = [&](int replications) {
          double sum = 0;
          for (std::uint64_t seed = 0; seed < 12; ++seed) {
            BootstrapOptions options = often;
            options.replications = replications;
            const Vector value = curve_of(basic, solved, additive.lambdas, 1, metric, options, seed).value;
            sum += std::pow(value[1] - exact.value[1], 2);
          }
          return std::sqrt(sum / 12);
        };
        // Fifty times the replications: a seventh of the error.
        const double coarse = error_of(20), fine = error_of(1000);
        EXPECT_LT(fine, 0.35 * coarse) << metric.description << " weighted " << weighted;
        Running mean;
        for (std::uint64_t seed = 100; seed < 120; ++seed)
          mean.add(curve_of(basic, solved, additive.lambdas, 1, metric, often, seed).value[0]);
        EXPECT_LT(mean.z(exact.value[0]), 3.5) << metric.description << " weighted " << weighted;
      }
    }
  }
}

TEST(Bootstrap, OfALinearLearnerWithItsOwnVarianceIsSic) {
  // The closed form is sic at σ² = rss/n (residuals as they are) or rss/(n − df) (rescaled).
  const Data data = make_data(24, 3, 19, true);
  const Smoother ridge(data.x, data.y, data.weight,
                       {.representation = Basis::fit("linear", data.x), .filter = tikhonov});
  const std::vector<double> lambda{4};
  const SpectralSums sums = ridge.sums(lambda, 0)[0];
  const double raw = sums.z2g2 / ridge.count(), scaled = sums.z2g2 / (ridge.count() - sums.df);
  for (const Metric& metric : {at_rows, elsewhere(3)}) {
    EXPECT_NEAR(curve_of(basic, ridge, lambda, undefined, metric).value[0],
                curve_of(sic, ridge, lambda, raw, metric).value[0], 1e-10);
    EXPECT_NEAR(curve_of(basic, ridge, lambda, undefined, metric, {.rescaled = true}).value[0],
                curve_of(sic, ridge, lambda, scaled, metric).value[0], 1e-10);
  }
}

class Basic : public ::testing::TestWithParam<PathCase> {};

TEST_P(Basic, IsReproducibleBySeedWhateverTheThreads) {
  const PathCase& test = GetParam();
  const Data data = make_data(30, 3, 41, true);
  const int before = threads();
  const auto with = [&](int count, std::uint64_t seed) {
    set_threads(count);
    return curve_of(basic, test.learner(data), test.lambdas, undefined, at_rows, {.replications = 40}, seed);
  };
  const CriterionCurve one = with(1, 3), two = with(2, 3), other = with(2, 4);
  set_threads(before);
  EXPECT_EQ(one.value, two.value);
  EXPECT_TRUE((one.value.array() != other.value.array()).all());
  EXPECT_EQ(one.covariance, "residual bootstrap, 40 replications");
  EXPECT_TRUE(one.value.allFinite());  // no noise variance is asked for
}

TEST_P(Basic, MeasuredAtTheRowsAsPointsItIsTheSame) {
  // The training inputs, listed as points with their weights, are the metric `train`.
  const PathCase& test = GetParam();
  if (test.kernel) return;  // kernels have no reference on points
  for (const bool weighted : {false, true}) {
    for (const bool intercept : {false, true}) {
      const Data data = make_data(30, 3, 41, weighted);
      const Vector w = weighted ? data.weight : Vector::Ones(30);
      const Metric listed{Metric::Kind::points, {data.x, w / w.sum()}, "rows"};
      const PathLearner learner = test.learner(data, intercept);
      for (const auto& criterion : {sic, basic}) {
        const Vector a = curve_of(criterion, learner, test.lambdas, 0.09, at_rows, {.replications = 30})
                             .value,
                     b = curve_of(criterion, learner, test.lambdas, 0.09, listed, {.replications = 30}).value;
        for (Index k = 0; k < a.size(); ++k)
          EXPECT_NEAR(a[k], b[k], 1e-9) << criterion.name << k << intercept;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Learners, Basic, ::testing::ValuesIn(path_cases(0.3)), case_name);

TEST(Basic, ItsBiasIsSeen) {
  // BASIC is not unbiased, and the test says by how much of 2C: raw residuals are too small, a heavy penalty makes them
  // too large. Both directions occur.
  struct Bias {
    double of_term, z;
  };
  const auto bias_of = [](const PathCase& test, double size) {
    Random random(77);
    Matrix x(15, 4);
    for (Index j = 0; j < 4; ++j) x.col(j) = random.normal_vector(15);
    const Vector f = size * x.rowwise().sum();
    Running gap, term;
    for (int draw = 0; draw < 300; ++draw) {
      const Vector e = random.normal_vector(15);
      const Data data{x, f + e, Vector()};
      const PathLearner learner = test.learner(data, false);
      const PathFit& fit = learner.path(test.lambdas, 0).front();
      const double value =
          curve_of(basic, learner, test.lambdas, undefined, at_rows, {.replications = 30}, 1000 + draw)
              .value[0];
      const double risk = (learner.fitted(fit) - f).squaredNorm() / 15 - f.squaredNorm() / 15;
      gap.add(value - risk);
      term.add(2 * learner.fitted(fit).dot(e) / 15);
    }
    return Bias{gap.mean() / term.mean(), gap.mean() / gap.standard_error()};
  };
  const PathCase light{"lasso", {0.5}, [](double) { return net_factory(1); }},
      heavy{"huber", {60}, [](double) { return huber_factory(1); }};
  const Bias small = bias_of(light, 0.3), large = bias_of(heavy, 2);
  RecordProperty("bias_over_2C_lasso_light", std::to_string(small.of_term));
  RecordProperty("bias_over_2C_huber_heavy", std::to_string(large.of_term));
  EXPECT_LT(small.z, -3) << small.of_term;
  EXPECT_GT(large.z, 3) << large.of_term;
}

}  // namespace
}  // namespace gnomon::testing::bootstrap_test
