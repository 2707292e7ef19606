#include "decompose/shifted_band.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "gnomon/core/random.hpp"

namespace gnomon::shifted_band_test {
namespace {

/// A positive semidefinite band matrix: Gram of a triangular band.
Matrix random_band_matrix(Index n, Index width) {
  Random random(static_cast<std::uint64_t>(1000 * width + n));
  Matrix lower = Matrix::Zero(n, n);
  for (Index k = 0; k < n; ++k)
    for (Index i = k; i <= std::min(n - 1, k + width); ++i) lower(i, k) = random.normal();
  return lower * lower.transpose();
}

Matrix storage(const Matrix& dense, Index width) {
  Matrix band = Matrix::Zero(width + 1, dense.cols());
  for (Index k = 0; k < dense.cols(); ++k)
    for (Index j = 0; j <= std::min(width, dense.cols() - 1 - k); ++j) band(j, k) = dense(k + j, k);
  return band;
}

TEST(ShiftedBand, SolvesAndWhitensAsADenseMatrixDoes) {
  Random random(3);
  for (const Index width : {1, 8, 24})
    for (const Index n : {1, 2, 7, 24, 25, 61, 300, 530}) {
      const Matrix b = random_band_matrix(n, width), band = storage(b, width);
      const std::vector<double> lambdas{1e-3, 0.1, 2, 70, 1e4};
      std::vector<ShiftedBand> shifted;
      for (const double lambda : lambdas) shifted.emplace_back(band, lambda);
      std::vector<const ShiftedBand*> each;
      for (const ShiftedBand& one : shifted) each.push_back(&one);
      Matrix v(n, static_cast<Index>(lambdas.size())), q(9, n);
      for (double& entry : v.reshaped()) entry = random.normal();
      for (double& entry : q.reshaped()) entry = random.normal();
      Matrix solved = v;
      ShiftedBand::solve(each, solved);
      for (std::size_t l = 0; l < lambdas.size(); ++l) {
        ASSERT_TRUE(shifted[l].ok());
        Matrix a = b;
        a.diagonal().array() += lambdas[l];
        const Eigen::LDLT<Matrix> factor(a);
        // Condition numbers are at most (trace + λ)/λ.
        const double tolerance = 1e-14 * (b.trace() + lambdas[l]) / lambdas[l];
        const Vector slow = lambdas[l] * factor.solve(v.col(static_cast<Index>(l)));
        EXPECT_LE((solved.col(static_cast<Index>(l)) - slow).norm(), tolerance * (v.norm() + slow.norm()))
            << n << " rows, width " << width << ", λ " << lambdas[l];
        const Matrix complement = lambdas[l] * q * factor.solve(q.transpose());
        Matrix sum = Matrix::Zero(q.rows(), q.rows());
        Index columns = 0;
        shifted[l].visit_whitened(q, [&](const double* panel, Index count) {
          const Eigen::Map<const Matrix> w(panel, q.rows(), count);
          sum += w * w.transpose();
          columns += count;
        });
        EXPECT_EQ(columns, n);
        EXPECT_LE((sum - complement).norm(), tolerance * complement.norm()) << n << " rows, width " << width;
      }
    }
}

TEST(ShiftedBand, SaysWhereLambdaIsTooSmall) {
  Matrix b = random_band_matrix(40, 8);
  b.diagonal().array() -= 5;
  EXPECT_FALSE(ShiftedBand(storage(b, 8), 0.1).ok());
  EXPECT_TRUE(ShiftedBand(storage(b, 8), 1e3).ok());
}

TEST(ShiftedBand, StoresATridiagonalMatrix) {
  const Tridiagonal t{Vector::LinSpaced(5, 1, 5), Vector::LinSpaced(4, 10, 13)};
  Matrix expected(2, 5);
  expected << 1, 2, 3, 4, 5, 10, 11, 12, 13, 0;
  EXPECT_EQ(band_of(t), expected);
}

}  // namespace
}  // namespace gnomon::shifted_band_test
