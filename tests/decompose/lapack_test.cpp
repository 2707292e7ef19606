#include "decompose/lapack.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "gnomon/core/random.hpp"

namespace gnomon::lapack_test {
namespace {

Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  Matrix m(rows, columns);
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i) m(i, j) = random.normal();
  return m;
}

/// With another number above the diagonal, which must not be read.
Matrix lower_half(const Matrix& symmetric) {
  Matrix half = symmetric;
  half.triangularView<Eigen::StrictlyUpper>().setConstant(1e30);
  return half;
}

TEST(SymmetricTimes, IsTheProductOfEverySize) {
  std::vector<Index> sizes = {2047, 2048, 2300};  // around the first that threads share
  for (Index n = 0; n <= 40; ++n) sizes.push_back(n);
  for (const Index n : sizes) {
    const Matrix r = random_matrix(n, n, 1), a = r + r.transpose();
    const Vector v = random_matrix(n, 1, 2).col(0);
    const Vector product = lapack::symmetric_times(lower_half(a), v, 0.5);
    ASSERT_EQ(product.size(), n);
    EXPECT_LE((product - 0.5 * (a * v)).norm(), 1e-13 * (1 + a.norm() * v.norm())) << n;
  }
}

TEST(SymmetricTimes, TakesPartOfAMatrix) {
  const Matrix r = random_matrix(12, 12, 3), a = r + r.transpose();
  const Vector v = random_matrix(7, 1, 4).col(0);
  const Vector product = lapack::symmetric_times(a.block(3, 3, 7, 7), v);
  EXPECT_LE((product - a.block(3, 3, 7, 7) * v).norm(), 1e-13 * a.norm() * v.norm());
}

TEST(ReduceToTridiagonal, KeepsTheSpectrumAndTheFirstAxis) {
  for (Index n = 1; n <= 40; ++n) {
    const Matrix r = random_matrix(n, n, 5), a = r + r.transpose();
    Matrix reflectors = lower_half(a);
    Vector diagonal, off_diagonal, scales;
    lapack::reduce_to_tridiagonal(reflectors, diagonal, off_diagonal, scales);
    ASSERT_EQ(diagonal.size(), n);
    ASSERT_EQ(off_diagonal.size(), n - 1);
    ASSERT_EQ(scales.size(), n - 1);
    EXPECT_EQ(diagonal[0], a(0, 0));
    const double squares = diagonal.squaredNorm() + 2 * off_diagonal.squaredNorm();
    EXPECT_NEAR(squares, a.squaredNorm(), 1e-13 * static_cast<double>(n) * a.squaredNorm()) << n;
    EXPECT_NEAR(diagonal.sum(), a.trace(), 1e-13 * static_cast<double>(n) * a.norm()) << n;
  }
}

TEST(ReduceToTridiagonal, RefusesWhatIsNotFinite) {
  Matrix a = Matrix::Identity(5, 5);
  a(3, 1) = undefined;
  Vector diagonal, off_diagonal, scales;
  EXPECT_THROW(lapack::reduce_to_tridiagonal(a, diagonal, off_diagonal, scales), Error);
}

}  // namespace
}  // namespace gnomon::lapack_test
