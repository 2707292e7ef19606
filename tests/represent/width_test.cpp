#include "represent/width.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon::width_test {
namespace {

double slow_median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double slow_median_distance(const Matrix& x) {
  std::vector<double> all, positive;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < i; ++j) all.push_back((x.row(i) - x.row(j)).norm());
  for (const double value : all)
    if (value > 0) positive.push_back(value);
  if (positive.empty()) return 1;
  const double median = slow_median(all);
  return median > 0 ? median : slow_median(positive);
}

Matrix normal_matrix(Index n, Index d, std::uint64_t seed) {
  Random random(seed);
  Matrix x(n, d);
  for (Index k = 0; k < d; ++k) x.col(k) = random.normal_vector(n);
  return x;
}

TEST(MedianDistance, EqualsSortingAllPairs) {
  for (const Index n : {2, 3, 4, 5, 50, 51, 300, 523})  // the last two are selected through a subsample
    for (const Index d : {1, 4}) {
      const Matrix x = normal_matrix(n, d, static_cast<std::uint64_t>(n));
      EXPECT_NEAR(median_distance(x, Vector()), slow_median_distance(x), 1e-14) << n;
      EXPECT_EQ(median_distance(x, Vector::Ones(n)), median_distance(x, Vector()));
    }
}

TEST(MedianDistance, SurvivesManyEqualDistances) {
  Matrix x = normal_matrix(500, 1, 3);
  x = x.array().round().matrix().eval();
  EXPECT_EQ(median_distance(x, Vector()), slow_median_distance(x));
}

TEST(MedianDistance, AWeightIsARepeatedRow) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const Index n = 2 + static_cast<Index>(random.below(9));
    Matrix x = normal_matrix(n, 2, 100 + seed);
    if (seed % 3 == 0) x = x.array().round().matrix().eval();
    Vector weight(n);
    std::vector<Index> rows;
    for (Index i = 0; i < n; ++i) {
      weight[i] = static_cast<double>(random.below(4));
      for (int k = 0; k < weight[i]; ++k) rows.push_back(i);
    }
    const Matrix expanded = x(rows, Eigen::all);
    EXPECT_NEAR(median_distance(x, weight), slow_median_distance(expanded), 1e-14) << seed;
  }
}

TEST(MedianDistance, RepeatsDoNotMakeItZero) {
  Matrix x = Matrix::Zero(20, 2);
  EXPECT_EQ(median_distance(x, Vector()), 1);
  EXPECT_EQ(median_distance(x, Vector::Constant(20, 3)), 1);
  x(4, 0) = 2.5;
  EXPECT_EQ(median_distance(x, Vector()), 2.5);
  EXPECT_EQ(median_distance(Matrix::Ones(1, 3), Vector()), 1);
  EXPECT_EQ(median_distance(Matrix(0, 3), Vector()), 1);
}

TEST(MedianDistance, LargeSamplesUseEvenlySpacedRows) {
  Matrix x(9000, 1);
  for (Index i = 0; i < 9000; ++i) x(i, 0) = static_cast<double>(i);
  EXPECT_NEAR(median_distance(x, Vector()), 9000 * (1 - std::sqrt(0.5)), 9);
}

TEST(MedianDistance, BadWeightsAreExplained) {
  EXPECT_THROW(median_distance(Matrix::Ones(3, 1), Vector::Ones(2)), Error);
  EXPECT_THROW(median_distance(Matrix::Ones(3, 1), Vector::Constant(3, -1)), Error);
}

}  // namespace
}  // namespace gnomon::width_test
