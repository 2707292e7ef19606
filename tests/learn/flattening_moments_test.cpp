// Moments under powers of the importance, and learners that work from them alone, against the rows.

#include "learn/flattening_moments.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/criteria/criteria.hpp"
#include "gnomon/criteria/judge.hpp"
#include "gnomon/data/weights.hpp"
#include "gnomon/learn/path_learner.hpp"
#include "gnomon/learn/weighted_ridge.hpp"
#include "learn/held_out_moments.hpp"

namespace gnomon::testing::flattening_moments_test {
namespace {

constexpr int folds = 5;
constexpr std::uint64_t seed = 3;
const std::vector<double> exponents{0, 0.35, 0.5, 1}, lambdas{0, 40};

/// Columns far from 0, some weights 0; errors are measured at other points.
struct TallShift {
  Matrix x, y, points;
  Vector w, omega;
  Folds parts;

  explicit TallShift(Index n = 3000, Index p = 4) : x(n, p), y(n, 1), points(50, p), w(n) {
    Random random(17);
    for (Index j = 0; j < p; ++j) {
      x.col(j) = 20 + random.normal_vector(n).array();
      points.col(j) = 20.5 + 0.8 * random.normal_vector(50).array();
    }
    y.col(0) = (x.col(0).array().sin() + x.rowwise().sum().array()).matrix() + 0.3 * random.normal_vector(n);
    for (Index i = 0; i < n; ++i)
      w[i] = i % 17 == 0 ? 0 : std::exp(x(i, 0) - 20.2 + 0.4 * (x(i, p - 1) - 20));
    omega = random.uniform_vector(50, 0.2, 1);
    omega /= omega.sum();
    parts = random_folds(n, folds, seed);
  }

  PathLearnerOptions options(bool intercept) const {
    return {.representation = Basis::fit("linear", x),
            .solver = [](const SolverDesign& design,
                         const CentredGram* known) { return weighted_ridge(design, known); },
            .intercept = intercept,
            .folds = parts};
  }
  PathLearner by_rows(double exponent, bool intercept) const {
    PathLearnerOptions o = options(intercept);
    o.importance = w;
    return PathLearner(std::make_shared<const Matrix>(x), y, flattened(w, exponent), o);
  }
  PathLearner by_moments(double exponent, bool intercept, bool paired = true) const {
    PathLearnerOptions o = options(intercept);
    o.held_out =
        std::make_shared<const HeldOutMoments>(x, y, w, parts.of_row, parts.count, exponents, paired);
    o.flattening = exponent;
    return PathLearner(std::make_shared<const Matrix>(x), y, Vector(), o);
  }
  JudgeOptions judging() const {
    return {.sigma2 = 0.09,
            .metric = {Metric::Kind::points, {points, omega}, "test"},
            .folds = folds,
            .seed = seed};
  }
};

void expect_near(const Matrix& got, const Matrix& wanted, double tolerance) {
  ASSERT_EQ(got.rows(), wanted.rows());
  ASSERT_EQ(got.cols(), wanted.cols());
  EXPECT_LT((got - wanted).norm(), tolerance * (1 + wanted.norm()));
}

TEST(FlatteningMoments, EqualGramStatisticsOfEachExponent) {
  for (const Index p : {1, 4, 7, 20, 70}) {  // whole and broken tiles, and too wide for the fused pass
    const TallShift s(700, p);
    const auto all = flattening_moments(s.x, s.y, s.w, exponents, s.parts.of_row, folds);
    ASSERT_EQ(all.size(), exponents.size());
    for (std::size_t e = 0; e < exponents.size(); ++e) {
      GramStatistics wanted(p, 1, folds);
      wanted.add(s.x, s.y, flattened(s.w, exponents[e]), s.parts.of_row);
      for (int f = 0; f < folds; ++f) {
        const CentredGram a = all[e].without(f), b = wanted.without(f);
        expect_near(a.xx, b.xx, 1e-12);
        expect_near(a.xy, b.xy, 1e-12);
        expect_near(a.x_mean, b.x_mean, 1e-13);
        EXPECT_NEAR(a.yy[0], b.yy[0], 1e-12 * b.yy[0]);
        EXPECT_NEAR(a.weight, b.weight, 1e-12 * b.weight);
        EXPECT_EQ(all[e].rows(f), wanted.rows(f));
      }
    }
  }
}

TEST(FlatteningMoments, DoNotDependOnTheNumberOfThreads) {
  const TallShift s;
  const int before = threads();
  set_threads(1);
  const auto one = flattening_moments(s.x, s.y, s.w, exponents, s.parts.of_row, folds);
  set_threads(3);
  const auto three = flattening_moments(s.x, s.y, s.w, exponents, s.parts.of_row, folds);
  set_threads(before);
  for (std::size_t e = 0; e < exponents.size(); ++e) EXPECT_EQ(one[e].total().xx, three[e].total().xx);
}

TEST(FlatteningMoments, RefuseBadWeightsAndFolds) {
  TallShift s(100, 2);
  const auto message = [&] {
    try {
      flattening_moments(s.x, s.y, s.w, exponents, s.parts.of_row, folds);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  s.parts.of_row[3] = folds;
  EXPECT_NE(message().find("row 3 is in fold 5"), std::string::npos) << message();
  s.parts.of_row[3] = 0;
  s.w[7] = -1;
  EXPECT_NE(message().find("weight 8 is -1"), std::string::npos) << message();
}

class FromMoments : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Intercept, FromMoments, ::testing::Bool());

TEST_P(FromMoments, FitsEqualThoseOfTheRows) {
  const TallShift s;
  for (const double exponent : exponents) {
    const PathLearner fast = s.by_moments(exponent, GetParam()), slow = s.by_rows(exponent, GetParam());
    ASSERT_NE(fast.from_moments(), nullptr);
    ASSERT_EQ(slow.from_moments(), nullptr);
    const auto &a = fast.path(lambdas, 0), &b = slow.path(lambdas, 0);
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      expect_near(fast.parameters_of(a[k]), slow.parameters_of(b[k]), 1e-9);
      EXPECT_NEAR(a[k].rss, b[k].rss, 1e-9 * b[k].rss);
      EXPECT_NEAR(a[k].df, b[k].df, 1e-9);
      EXPECT_LT(a[k].gap, 1e-8);
    }
    EXPECT_EQ(fast.automatic_grid(), slow.automatic_grid());
    EXPECT_EQ(fast.count(), slow.count());
    EXPECT_EQ(fast.total(0), slow.total(0));
  }
}

TEST_P(FromMoments, CriteriaEqualThoseOfTheRows) {
  const TallShift s;
  for (const double exponent : exponents) {
    const PathLearner fast = s.by_moments(exponent, GetParam()), slow = s.by_rows(exponent, GetParam());
    for (const Criterion& criterion : {cv, iwcv, sic, loo}) {
      const Vector a = judge(fast, criterion, lambdas, s.judging()).value,
                   b = judge(slow, criterion, lambdas, s.judging()).value;
      for (Index k = 0; k < a.size(); ++k)
        EXPECT_NEAR(a[k], b[k], 1e-9 * std::abs(b[k])) << criterion.name << " at exponent " << exponent;
    }
  }
}

TEST_P(FromMoments, SicWithoutPairedMomentsOrByMonteCarloIsTheSame) {
  const TallShift s;
  const PathLearner rows = s.by_rows(0.35, GetParam());
  const Vector wanted = judge(rows, sic, lambdas, s.judging()).value;
  const Vector unpaired = judge(s.by_moments(0.35, GetParam(), false), sic, lambdas, s.judging()).value;
  expect_near(unpaired, wanted, 1e-9);
  PathLearnerOptions by_probes = s.by_moments(0.35, GetParam()).options(), of_rows = rows.options();
  by_probes.divergence = of_rows.divergence = Divergence::monte_carlo;
  const auto x = std::make_shared<const Matrix>(s.x);
  expect_near(judge(PathLearner(x, s.y, Vector(), by_probes), sic, lambdas, s.judging()).value,
              judge(PathLearner(x, s.y, flattened(s.w, 0.35), of_rows), sic, lambdas, s.judging()).value,
              1e-7);
}

TEST(FlatteningMomentsFallBack, IllConditionedDesignsGoBackToTheRows) {
  TallShift s;
  s.x.col(3) = s.x.col(2) + 1e-7 * Random(5).normal_vector(s.x.rows());
  const PathLearner fast = s.by_moments(0.5, true), slow = s.by_rows(0.5, true);
  EXPECT_EQ(fast.from_moments(), nullptr);
  EXPECT_EQ(judge(fast, cv, lambdas, s.judging()).value, judge(slow, cv, lambdas, s.judging()).value);
  EXPECT_EQ(judge(fast, sic, lambdas, s.judging()).value, judge(slow, sic, lambdas, s.judging()).value);
}

TEST(FlatteningMomentsFallBack, AnExactFitIsMeasuredOnTheRows) {
  TallShift s;
  s.y.col(0) = s.x.rowwise().sum();
  const PathLearner fast = s.by_moments(0.5, true);
  ASSERT_NE(fast.from_moments(), nullptr);
  EXPECT_LT(fast.path(std::vector<double>{0}, 0).front().rss, 1e-15 * s.y.squaredNorm());
}

TEST(FlatteningMomentsFallBack, InfiniteInputsAreRefused) {
  TallShift s;
  s.x(5, 1) = undefined;
  try {
    s.by_moments(0.5, true);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("finite"), std::string::npos);
  }
}

}  // namespace
}  // namespace gnomon::testing::flattening_moments_test
