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

Matrix inverse_of(const Matrix& l) {
  Matrix x = Matrix::Zero(l.rows(), l.rows());
  visit_inverse(l, [&](Index first, const Matrix& columns) {
    x.block(first, first, columns.rows(), columns.cols()) = columns;
  });
  return x;
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
  EXPECT_LT((inverse_of(l) * lower - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), 5 * rounding);
  const Vector b = random_matrix(n, 1, 6).col(0);
  Vector forward = b, back = b;
  solve_lower(l, CblasNoTrans, forward);
  solve_lower(l, CblasTrans, back);
  EXPECT_LT((lower * forward - b).cwiseAbs().maxCoeff(), 20 * rounding);
  EXPECT_LT((lower.transpose() * back - b).cwiseAbs().maxCoeff(), 20 * rounding);
}
INSTANTIATE_TEST_SUITE_P(AroundTheBlocks, Orders, testing::Values(1, 2, 127, 128, 129, 256, 400, 700, 1300));

TEST(SharedCholesky, SaysNoWhereverItIsNotPositive) {
  for (const Index place : {0, 100, 130, 699}) {
    Matrix a = positive_definite(700, 2);
    a(place, place) = -1;
    EXPECT_FALSE(factor_positive_definite(a)) << place;
  }
}

TEST(SharedCholesky, DoesNotDependOnTheNumberOfThreads) {
  constexpr Index n = 1300;
  const Matrix a = positive_definite(n, 3);
  Matrix factor[2] = {a, a}, inverse[2];
  Vector solution[2] = {Vector::Ones(n), Vector::Ones(n)};
  for (const int threads : {1, 3}) {
    set_threads(threads);
    const int which = threads / 3;
    ASSERT_TRUE(factor_positive_definite(factor[which]));
    inverse[which] = inverse_of(factor[which]);
    for (const auto side : {CblasNoTrans, CblasTrans}) solve_lower(factor[which], side, solution[which]);
  }
  set_threads(0);
  EXPECT_EQ(factor[0], factor[1]);
  EXPECT_EQ(inverse[0], inverse[1]);
  EXPECT_EQ(solution[0], solution[1]);
}

TEST(Reflection, RowsOfTheExpandedInverseWithoutFormingIt) {
  for (const Index n : {1, 2, 30, 700}) {
    const Reflection reflection(random_matrix(n + 1, 1, 4).col(0).cwiseAbs());
    Matrix l = positive_definite(n, 5);
    ASSERT_TRUE(factor_positive_definite(l));
    const Vector slow = reflection.expand(inverse_of(l).transpose()).rowwise().squaredNorm();
    const Vector fast = reflection.squared_rows_of_expanded_inverse(l);
    EXPECT_LT((fast - slow).cwiseQuotient(slow).cwiseAbs().maxCoeff(), 1e-12) << n;
  }
}

}  // namespace
}  // namespace gnomon::shared_cholesky_test
