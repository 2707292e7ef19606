#include "decompose/shared_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "decompose/reflection.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon::shared_cholesky_test {
namespace {

Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  Matrix m(rows, columns);
  for (double& x : m.reshaped()) x = random.normal();
  return m;
}

/// Eigenvalues between 1 and about 5.
Matrix positive_definite(Index n, std::uint64_t seed) {
  const Matrix x = random_matrix(n, n, seed) / std::sqrt(static_cast<double>(n));
  return Matrix::Identity(n, n) + x * x.transpose();
}

class Orders : public testing::TestWithParam<Index> {};

TEST_P(Orders, FactorAndInverseMultiplyBack) {
  const Index n = GetParam();
  const Matrix a = positive_definite(n, 1);
  Matrix l = a;
  l.triangularView<Eigen::StrictlyUpper>().setConstant(7);  // not to be read
  ASSERT_TRUE(factor_positive_definite(l));
  const Matrix lower = l.triangularView<Eigen::Lower>();
  const double rounding = 1e-15 * static_cast<double>(n + 10);
  EXPECT_LT((lower * lower.transpose() - a).cwiseAbs().maxCoeff(), 5 * rounding);
  invert_lower(l);
  EXPECT_EQ(l.triangularView<Eigen::StrictlyUpper>().toDenseMatrix().cwiseAbs().sum(), 0);
  EXPECT_LT((l * lower - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), 5 * rounding);
}
INSTANTIATE_TEST_SUITE_P(AroundTheBlocks, Orders, testing::Values(1, 2, 127, 128, 129, 256, 400, 700));

TEST(SharedCholesky, SaysNoWhereverItIsNotPositive) {
  for (const Index place : {0, 100, 130, 699}) {
    Matrix a = positive_definite(700, 2);
    a(place, place) = -1;
    EXPECT_FALSE(factor_positive_definite(a)) << place;
  }
}

TEST(SharedCholesky, DoesNotDependOnTheNumberOfThreads) {
  const Matrix a = positive_definite(900, 3);
  Matrix of[2] = {a, a};
  for (const int threads : {1, 3}) {
    set_threads(threads);
    Matrix& l = of[threads / 3];
    ASSERT_TRUE(factor_positive_definite(l));
    invert_lower(l);
  }
  set_threads(0);
  EXPECT_EQ(of[0], of[1]);
}

TEST(Reflection, RowsOfTheExpandedInverseWithoutFormingIt) {
  for (const Index n : {1, 2, 30, 700}) {
    const Reflection reflection(random_matrix(n + 1, 1, 4).col(0).cwiseAbs());
    const Matrix x = random_matrix(n, n, 5).triangularView<Eigen::Lower>();
    const Vector slow = reflection.expand(x.transpose()).rowwise().squaredNorm();
    const Vector fast = reflection.squared_rows_of_expanded(x);
    EXPECT_LT((fast - slow).cwiseQuotient(slow).cwiseAbs().maxCoeff(), 1e-12) << n;
  }
}

}  // namespace
}  // namespace gnomon::shared_cholesky_test
