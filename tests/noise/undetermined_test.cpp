// Noise variances that the data cannot tell are not told.
#include <gtest/gtest.h>

#include <cmath>

#include "gnomon/core/random.hpp"
#include "gnomon/learn/filters.hpp"
#include "gnomon/noise/noise.hpp"
#include "noise/replicates.hpp"

namespace gnomon::undetermined_test {
namespace {

constexpr double noise_variance = 0.25;

Matrix normal(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  Matrix values(rows, columns);
  for (Index j = 0; j < columns; ++j) values.col(j) = random.normal_vector(rows);
  return values;
}

/// Kernel ridge on given rows, along λ from the interpolant to the constant.
struct Prepared {
  Matrix x;
  Vector y;
  Smoother learner;
  std::vector<double> lambdas;
  std::vector<Counts> counts;

  Prepared(Matrix inputs, Vector targets)
      : x(std::move(inputs)),
        y(std::move(targets)),
        learner(x, y, Vector(), {.representation = Kernel(Gaussian{1.0}), .filter = tikhonov}) {
    for (int k = -50; k <= 15; ++k) lambdas.push_back(std::pow(10, k / 5.0));
    counts = learner.counts(points_of(lambdas), 0, false, false);
  }
  NoiseContext context() const { return {learner, lambdas, counts, 0, x, y, Vector()}; }
};

Vector wave(const Matrix& x, std::uint64_t seed) {
  return (2 * x.col(0)).array().sin().matrix() + std::sqrt(noise_variance) * normal(x.rows(), 1, seed).col(0);
}

/// Every row twice, inputs and target alike.
Prepared doubled_rows() {
  const Matrix once = normal(60, 3, 1);
  const Vector y = wave(once, 2);
  Matrix x(120, 3);
  x << once, once;
  Vector twice(120);
  twice << y, y;
  return {x, twice};
}

TEST(Replicates, AreCountedWithTheirCopies) {
  const Matrix x{{1, 2}, {1, 2}, {3, 4}, {1, 2}, {5, 6}};
  const Vector y{{7, 7, 1, 8, 2}};
  const Replicates found = replicates_of(x, y);
  EXPECT_EQ(found.freedom, 2);
  EXPECT_EQ(found.copies, 1);
  EXPECT_NEAR(found.squares, 2.0 / 3, 1e-12);
  EXPECT_FALSE(found.are_copies());
}

TEST(Replicates, WeightsAreCopies) {
  const Matrix x{{1.0}, {2.0}};
  const Replicates found = replicates_of(x, Vector{{1, 2}}, Vector{{3, 1}});
  EXPECT_EQ(found.freedom, 2);
  EXPECT_EQ(found.copies, 2);
  EXPECT_TRUE(found.are_copies());
}

TEST(UndeterminedNoise, ResidualsOfAnInterpolantSayNothing) {
  const Prepared data = doubled_rows();
  const NoiseVariance by_gcv = estimate_noise("gcv", data.context());
  EXPECT_TRUE(std::isnan(by_gcv.at(0))) << by_gcv.at(0);
  EXPECT_FALSE(by_gcv.reason.empty());
  EXPECT_TRUE(std::isnan(estimate_noise("pure-error", data.context()).at(0)));
}

TEST(UndeterminedNoise, AutomaticDoesNotTakeCopiesForReplicates) {
  const Prepared data = doubled_rows();
  const NoiseVariance noise = estimate_noise("auto", data.context());
  EXPECT_NE(noise.method, "pure-error");
  EXPECT_TRUE(std::isnan(noise.at(0)) || noise.at(0) > noise_variance / 10) << noise.method << noise.at(0);
}

TEST(UndeterminedNoise, AutomaticTakesTheSpreadWithinTrueReplicates) {
  const Matrix once = normal(40, 2, 3);
  Matrix x(120, 2);
  x << once, once, once;
  const Prepared data(x, wave(x, 4));
  const NoiseVariance noise = estimate_noise("auto", data.context());
  EXPECT_EQ(noise.method, "pure-error");
  // 80 degrees of freedom: a standard error of √(2/80) of it.
  EXPECT_NEAR(noise.at(0), noise_variance, 4 * noise_variance * std::sqrt(2.0 / 80));
}

TEST(UndeterminedNoise, FewReplicatesAreLeftAlone) {
  Matrix x = normal(100, 2, 5);
  x.row(1) = x.row(0);
  const Prepared data(x, wave(x, 6));
  EXPECT_NE(estimate_noise("auto", data.context()).method, "pure-error");
}

TEST(UndeterminedNoise, ANumberIsTakenAsItIs) {
  EXPECT_EQ(estimate_noise("0", doubled_rows().context()).at(0), 0);
}

TEST(CautiousGcv, NeverTakesTheVarianceAtARougherFit) {
  for (const std::uint64_t seed : {11, 12, 13, 14, 15}) {
    const Matrix x = normal(60, 1, seed);
    const Prepared data(x, wave(x, seed + 100));
    const double plain = estimate_noise("gcv", data.context()).at(0),
                 cautious = estimate_noise("gcv-1.4", data.context()).at(0);
    EXPECT_GE(cautious, plain * (1 - 1e-12)) << seed;
    EXPECT_NEAR(cautious, noise_variance, 4 * noise_variance * std::sqrt(2.0 / 50)) << seed;
  }
}

}  // namespace
}  // namespace gnomon::undetermined_test
