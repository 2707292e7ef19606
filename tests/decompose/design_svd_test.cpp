// The SVD of a design: rank and digits must not depend on the units of its columns.

#include "decompose/design_svd.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "gnomon/core/random.hpp"

namespace gnomon::design_svd_test {
namespace {

Matrix normal_matrix(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Matrix m(rows, cols);
  for (auto& v : m.reshaped()) v = random.normal();
  return m;
}

void expect_decomposition(const Matrix& a, const lapack::ThinSvd& svd, Index rank) {
  ASSERT_EQ(svd.s.size(), rank);
  ASSERT_EQ(svd.u.cols(), rank);
  ASSERT_EQ(svd.v.cols(), rank);
  const Matrix one = Matrix::Identity(rank, rank);
  EXPECT_LT((svd.u.transpose() * svd.u - one).norm(), 1e-12);
  EXPECT_LT((svd.v.transpose() * svd.v - one).norm(), 1e-12);
  for (Index k = 1; k < rank; ++k) EXPECT_LE(svd.s[k], svd.s[k - 1]);
  // Column by column, so that small columns count.
  const Matrix again = svd.u * svd.s.asDiagonal() * svd.v.transpose();
  for (Index j = 0; j < a.cols(); ++j)
    EXPECT_LT((a - again).col(j).norm(), 1e-12 * a.col(j).norm()) << "column " << j;
}

TEST(DesignSvd, KeepsEveryDigitOfSmallColumns) {
  for (const Index rows : {40, 5}) {
    Matrix a = normal_matrix(rows, 5, 3);
    a.col(1) *= 1e-8, a.col(3) *= 1e-18, a.col(4) *= 1e5;
    expect_decomposition(a, design_svd(Matrix(a)), 5);
  }
}

TEST(DesignSvd, SmallestSingularValueIsThatOfLongDoubles) {
  Matrix a = normal_matrix(30, 4, 8);
  a.col(2) *= 1e-12;
  using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const Wide exact = Eigen::JacobiSVD<Wide>(a.cast<long double>()).singularValues();
  const lapack::ThinSvd svd = design_svd(Matrix(a));
  for (Index k = 0; k < 4; ++k)
    EXPECT_NEAR(svd.s[k] / static_cast<double>(exact(k, 0)), 1, k < 3 ? 1e-13 : 1e-6) << k;
  // The last one to more digits than a long double of that algorithm has: the distance of the small column from the others.
  const Matrix others = a(Eigen::all, std::vector<Index>{0, 1, 3});
  const Vector c = a.col(2), rest = c - others * others.householderQr().solve(c);
  EXPECT_NEAR(svd.s[3] / rest.norm(), 1, 1e-13);
}

TEST(DesignSvd, SmallColumnsDoNotHideDependentOnes) {
  Matrix a = normal_matrix(40, 5, 4);
  a.col(2) = a.col(0) + a.col(1);
  a.col(4) *= 1e-18;
  const lapack::ThinSvd svd = design_svd(Matrix(a));
  expect_decomposition(a, svd, 4);
  // V spans the columns' own space: nothing along (1, 1, −1), however large the pseudo-inverse.
  const Matrix inverse = svd.v * svd.s.cwiseInverse().asDiagonal();
  EXPECT_LT((inverse.row(0) + inverse.row(1) - inverse.row(2)).norm(), 1e-12 * inverse.topRows(3).norm());
  EXPECT_LT((a * inverse - svd.u).norm(), 1e-12);
}

TEST(DesignSvd, ConstantColumnsAreNoDirectionWhateverTheirSize) {
  Matrix a = normal_matrix(40, 3, 5);
  a.col(1) *= 1e-9;
  a.col(2).setConstant(1e6);
  const Vector before = a.colwise().norm().transpose();
  for (Index j = 0; j < 3; ++j) a.col(j).array() -= a.col(j).mean();
  a.col(2) += 1e-10 * normal_matrix(40, 1, 6);  // what rounding leaves
  EXPECT_EQ(design_svd(Matrix(a), before).s.size(), 2);
}

// Powers of x up to high degrees: singular values fall without a gap, so that directions are known to no digits where the range ends.
TEST(DesignSvd, EndsWhereDirectionsAreRounding) {
  for (const Index rows : {100, 200})
    for (const Index degree : {52, 60, 72, 80, 95, 99}) {
      Random random(9);
      Matrix a(rows, degree);
      for (Index i = 0; i < rows; ++i) {
        const double x = random.uniform(-1.7, 1.7);
        for (Index j = 0; j < degree; ++j) a(i, j) = std::pow(x, j + 1);
      }
      const Vector before = a.colwise().norm().transpose();
      for (Index j = 0; j < degree; ++j) a.col(j).array() -= a.col(j).mean();
      const lapack::ThinSvd svd = design_svd(Matrix(a), before);
      const Index rank = svd.s.size();
      ASSERT_GT(rank, 20) << rows << " rows, degree " << degree;
      ASSERT_LT(rank, degree);
      const Matrix one = Matrix::Identity(rank, rank);
      EXPECT_LT((svd.u.transpose() * svd.u - one).norm(), 1e-10);
      // To rounding over the least singular value kept: predictions, from V, are those of the fit, from U.
      EXPECT_LT((svd.v.transpose() * svd.v - one).norm(), 1e-2);
      EXPECT_LT((a * svd.v * svd.s.cwiseInverse().asDiagonal() - svd.u).norm(), 0.05);
      for (Index j = 0; j < degree; ++j)
        EXPECT_LT((a.col(j) - svd.u * (svd.u.transpose() * a.col(j))).norm(), 1e-3 * before[j]) << j;
    }
}

TEST(DesignSvd, MoreColumnsThanRows) {
  Matrix a = normal_matrix(6, 15, 7);
  a.leftCols(5) *= 1e-10;
  const lapack::ThinSvd svd = design_svd(Matrix(a));
  EXPECT_EQ(svd.s.size(), 6);
  EXPECT_LT((a - svd.u * svd.s.asDiagonal() * svd.v.transpose()).norm(), 1e-12 * a.norm());
  EXPECT_EQ(design_svd(Matrix::Zero(4, 3)).s.size(), 0);
  EXPECT_EQ(design_svd(Matrix(4, 0)).s.size(), 0);
}

}  // namespace
}  // namespace gnomon::design_svd_test
