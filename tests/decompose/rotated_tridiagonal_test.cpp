#include "decompose/rotated_tridiagonal.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>

#include "decompose/form_rotation.hpp"
#include "decompose/two_stage.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon::rotated_tridiagonal_test {
namespace {

using Rotation = RotatedTridiagonal::Rotation;

Matrix dense(const Tridiagonal& t) {
  Matrix m = t.diagonal.asDiagonal();
  for (Index i = 0; i + 1 < t.size(); ++i) m(i, i + 1) = m(i + 1, i) = t.off_diagonal[i];
  return m;
}

/// Of a band in lower storage.
Matrix dense(const Matrix& band) {
  Matrix m = Matrix::Zero(band.cols(), band.cols());
  for (Index k = 0; k < band.cols(); ++k)
    for (Index j = 0; j < std::min(band.rows(), band.cols() - k); ++j) m(k + j, k) = m(k, k + j) = band(j, k);
  return m;
}

Matrix random_matrix(Index rows, Index cols, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  Matrix m(rows, cols);
  for (double& x : m.reshaped()) x = normal(generator);
  return m;
}

Matrix gaussian_kernel(Index n, unsigned seed) {
  const Matrix x = random_matrix(n, 8, seed);
  Matrix k(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) k(i, j) = std::exp(-0.1 * (x.row(i) - x.row(j)).squaredNorm());
  return k;
}

/// Checks A = Q T Qᵀ, QᵀQ = I and b = ‖b‖ Q e₁ with the kept rotation, and that the
/// discarding reduction has the same spectrum with the same weights on the first coordinate.
void check_reduction(const Matrix& a, const Vector& b) {
  const Index n = a.rows();
  const double size = std::max(a.cwiseAbs().maxCoeff(), 1e-300);
  RotatedTridiagonal kept(Matrix(a), b, Rotation::keep);
  const Tridiagonal t = kept.t();
  EXPECT_NEAR(kept.norm(), b.stableNorm(), 1e-14 * b.stableNorm());
  const Matrix q = std::move(kept).form_q();
  EXPECT_LT((q.transpose() * q - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((q * (dense(t) / size) * q.transpose() - a / size).cwiseAbs().maxCoeff(),
            1e-13 * static_cast<double>(n));
  if (b.cwiseAbs().maxCoeff() > 0) {
    EXPECT_LT((q.col(0) - b / b.stableNorm()).cwiseAbs().maxCoeff(), 1e-14);
  } else {
    EXPECT_EQ(q.col(0), Vector::Unit(n, 0));
  }

  RotatedTridiagonal half(Matrix(a), b, Rotation::to_band);
  const Matrix band = dense(half.band()), q1 = std::move(half).form_q();
  EXPECT_LT((q1.transpose() * q1 - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((q1 * (band / size) * q1.transpose() - a / size).cwiseAbs().maxCoeff(),
            1e-13 * static_cast<double>(n));
  EXPECT_LT((q1.col(0) - q.col(0)).cwiseAbs().maxCoeff(), 1e-14);

  const RotatedTridiagonal quick(Matrix(a), b, Rotation::discard);
  EXPECT_EQ(quick.norm(), kept.norm());
  // e₁ᵀ Tᵏ e₁ = bᵀ Aᵏ b / ‖b‖², and the traces of powers.
  const Matrix one = a / size, two = one * one, left = dense(quick.t()) / size, left_two = left * left;
  const Vector unit = q.col(0);
  const double tolerance = 1e-13 * static_cast<double>(n * n);
  EXPECT_NEAR(left(0, 0), unit.dot(one * unit), tolerance);
  EXPECT_NEAR(left_two(0, 0), unit.dot(two * unit), tolerance * (1 + left_two(0, 0)));
  EXPECT_NEAR((left_two * left)(0, 0), unit.dot(two * (one * unit)),
              tolerance * (1 + left_two(0, 0)) * left.norm());
  EXPECT_NEAR(left.trace(), one.trace(), tolerance);
  EXPECT_NEAR(left_two.trace(), two.trace(), tolerance * (1 + two.trace()));
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(one, Eigen::EigenvaluesOnly).eigenvalues();
  EXPECT_LT((eigen_with_first_components(quick.t()).values / size - values).cwiseAbs().maxCoeff(), tolerance);
}

class Sizes : public ::testing::TestWithParam<int> {};

TEST_P(Sizes, ReducesRandomMatrices) {
  const Index n = GetParam();
  const Matrix m = random_matrix(n, n, 1);
  check_reduction(m + m.transpose(), random_matrix(n, 1, 2).col(0));
}

TEST_P(Sizes, ReadsOnlyTheLowerTriangle) {
  const Index n = GetParam();
  const Matrix m = random_matrix(n, n, 1);
  const Matrix full = m + m.transpose();
  const Vector b = random_matrix(n, 1, 2).col(0);
  Matrix half = full;
  half.triangularView<Eigen::StrictlyUpper>().setConstant(7);
  for (Rotation rotation : {Rotation::discard, Rotation::keep}) {
    const RotatedTridiagonal from_full(Matrix(full), b, rotation), from_half(Matrix(half), b, rotation);
    EXPECT_EQ(from_full.t().diagonal, from_half.t().diagonal);
    EXPECT_EQ(from_full.t().off_diagonal, from_half.t().off_diagonal);
  }
}

INSTANTIATE_TEST_SUITE_P(RotatedTridiagonal, Sizes,
                         ::testing::Values(1, 2, 3, 4, 9, 33, 64, 100, 129, 200, 257, 384, 601, 653));

TEST(RotatedTridiagonal, SpecialVectorsAndMatrices) {
  const Matrix m = random_matrix(70, 70, 3);
  const Matrix a = m + m.transpose();
  Vector b = Vector::Zero(70);
  check_reduction(a, b);
  b[0] = 2;
  check_reduction(a, b);
  b[0] = -2;
  check_reduction(a, b);
  b[0] = 0;
  b[69] = 1;
  check_reduction(a, b);
  b = random_matrix(70, 1, 4).col(0);
  check_reduction(Matrix::Zero(70, 70), b);
  check_reduction(Matrix::Identity(70, 70), b);
  check_reduction(Vector(random_matrix(70, 1, 5).col(0)).asDiagonal(), b);
  check_reduction(Vector(random_matrix(70, 1, 5).col(0)).asDiagonal(), Vector::Zero(70));
}

TEST(RotatedTridiagonal, LowRankAndRepeatedEigenvalues) {
  for (Index n : {50, 610}) {
    const Matrix factor = random_matrix(n, 3, 6);
    const Vector b = random_matrix(n, 1, 7).col(0);
    check_reduction(factor * factor.transpose(), b);
    Matrix repeated = Matrix::Identity(n, n);
    repeated.topLeftCorner(n / 2, n / 2) *= 3;
    check_reduction(repeated, b);
    check_reduction(Matrix::Ones(n, n), Vector::Ones(n));
  }
}

TEST(RotatedTridiagonal, ExtremeScales) {
  for (Index n : {40, 610}) {  // in one stage and in two
    const Matrix k = gaussian_kernel(n, 8);
    const Vector b = random_matrix(n, 1, 9).col(0);
    for (double scale : {1e-150, 1e150, 1e-290}) {
      check_reduction(scale * k, scale * b);
      if (n > 40) continue;  // the vector never meets the stages
      check_reduction(scale * k, b);
      check_reduction(k, scale * b);
    }
  }
}

TEST(RotatedTridiagonal, ResolventsAgreeWithEigenvaluesOnKernelMatrices) {
  std::vector<double> lambdas;
  for (int l = 0; l <= 20; ++l) lambdas.push_back(std::pow(10.0, -6 + 0.4 * l));
  for (Index n : {60, 620}) {
    const Matrix k = gaussian_kernel(n, 10);
    const Vector b = random_matrix(n, 1, 11).col(0);
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(k);
    const Eigen::ArrayXd theta = eigen.eigenvalues().array();
    const Eigen::ArrayXd weight = (eigen.eigenvectors().transpose() * b).array().square();
    const RotatedTridiagonal reduced(Matrix(k), b, Rotation::discard);
    const double norm2 = reduced.norm() * reduced.norm();
    const auto all = resolvents(reduced.t(), lambdas);
    for (std::size_t l = 0; l < lambdas.size(); ++l) {
      const Eigen::ArrayXd shrunk = 1 / (theta + lambdas[l]);
      ASSERT_TRUE(all[l].ok);
      EXPECT_NEAR(all[l].log_det, (theta + lambdas[l]).log().sum(), 1e-10 * static_cast<double>(n));
      for (int power = 1; power <= 2; ++power) {
        const double trace = shrunk.pow(power).sum(), form = (weight * shrunk.pow(power)).sum();
        EXPECT_NEAR(all[l].trace[power - 1], trace, 1e-10 * trace) << lambdas[l];
        EXPECT_NEAR(norm2 * all[l].first[power - 1], form, 1e-10 * form) << lambdas[l];
      }
    }
  }
}

TEST(RotatedTridiagonal, GivesExactLeaveOneOut) {
  const Index n = 40;
  const Matrix k = gaussian_kernel(n, 12);
  const Vector y = random_matrix(n, 1, 13).col(0);
  const std::vector<double> lambdas{1e-3, 0.1, 2.0};
  RotatedTridiagonal reduced(Matrix(k), y, Rotation::keep);
  const Tridiagonal t = reduced.t();
  const double norm = reduced.norm();
  const Matrix q = std::move(reduced).form_q();
  Matrix diagonal, residual;
  shifted_diagonal_and_residual(q, t, norm, lambdas, diagonal, residual);
  for (Index left_out = 0; left_out < n; left_out += 7) {
    std::vector<Index> rest;
    for (Index i = 0; i < n; ++i)
      if (i != left_out) rest.push_back(i);
    for (Index l = 0; l < 3; ++l) {
      Matrix shifted = k(rest, rest);
      shifted.diagonal().array() += lambdas[l];
      const Vector alpha = shifted.ldlt().solve(Vector(y(rest)));
      const double missed = y[left_out] - k(rest, left_out).dot(alpha);
      EXPECT_NEAR(residual(left_out, l) / diagonal(left_out, l), missed, 1e-9);
    }
  }
}

TEST(TwoStage, EveryBandWidthKeepsTheSpectrumAndTheFirstCoordinate) {
  for (Index n : {40, 151, 230, 600}) {
    const Matrix m = random_matrix(n, n, 16);
    const Matrix a = (m + m.transpose()) / std::sqrt(static_cast<double>(n));
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(a);
    const Vector weight = eigen.eigenvectors().row(0).transpose().cwiseAbs2();
    for (Index width : {16, 24, 32, 48, 64}) {
      Matrix work = a;
      Band band = reduce_to_band(work, width);
      const FirstComponents found = eigen_with_first_components(reduce_to_tridiagonal(band));
      EXPECT_LT((found.values - eigen.eigenvalues()).cwiseAbs().maxCoeff(), 1e-12) << n << " " << width;
      for (int power = 1; power <= 3; ++power)
        EXPECT_NEAR((found.squared_first.array() * found.values.array().pow(power)).sum(),
                    (weight.array() * eigen.eigenvalues().array().pow(power)).sum(), 1e-11);
    }
  }
}

TEST(RotatedTridiagonal, KeepsItsRotationInTwoStages) {
  set_threads(4);
  for (const Index n : {600, 601, 643})
    check_reduction(gaussian_kernel(n, 17) + Matrix::Identity(n, n), random_matrix(n, 1, 18).col(0));
  set_threads(0);
}

TEST(TwoStage, RotationsOfEveryWidthAreOrthogonalAndMultiplyBack) {
  for (Index n : {3, 17, 40, 151, 230}) {
    const Matrix m = random_matrix(n, n, 19), a = m + m.transpose();
    for (Index width : {16, 24, 32, 48, 64}) {
      Matrix q = a, factors;
      Band band = reduce_to_band(q, width, &factors);
      ChaseReflectors chase(n, width);
      const Tridiagonal t = reduce_to_tridiagonal(band, &chase);
      form_rotation(q, factors, width);
      apply_chase_rotation(chase, q);
      EXPECT_EQ(q.col(0), Vector::Unit(n, 0)) << n << " " << width;
      EXPECT_LT((q.transpose() * q - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-13)
          << n << " " << width;
      EXPECT_LT((q * dense(t) * q.transpose() - a).cwiseAbs().maxCoeff(), 1e-13 * a.norm())
          << n << " " << width;
    }
  }
}

/// Panels of larger matrices are joined, two of this width at 790 rows and three at 1160; the last block is not full.
TEST(TwoStage, JoinedPanelsRotateAsOneAfterAnother) {
  constexpr Index width = 16;
  for (const Index n : {790, 1160}) {
    Matrix q = gaussian_kernel(n, 20), factors;
    reduce_to_band(q, width, &factors);
    const Vector x = random_matrix(n, 1, 21).col(0);
    Vector slow = x;
    for (Index begin = (n - width - 1) / width * width; begin >= 0; begin -= width) {
      const Index below = begin + width, count = std::min(width, n - below);
      Matrix v = q.block(below, begin, n - below, count).triangularView<Eigen::UnitLower>();
      const Matrix t = factors.block(0, begin, count, count).triangularView<Eigen::Upper>();
      slow.tail(n - below) -= v * (t * (v.transpose() * slow.tail(n - below)).eval()).eval();
    }
    form_rotation(q, factors, width);
    EXPECT_LT((q * x - slow).cwiseAbs().maxCoeff(), 1e-13 * x.norm()) << n;
    EXPECT_NEAR((q.transpose() * slow - x).norm(), 0, 1e-13 * x.norm()) << n;
  }
}

TEST(RotatedTridiagonal, DoesNotDependOnTheNumberOfThreads) {
  const Matrix k = gaussian_kernel(700, 14);
  const Vector b = random_matrix(700, 1, 15).col(0);
  const auto reduced_by = [&](int threads) {
    set_threads(threads);
    const Tridiagonal t = RotatedTridiagonal(Matrix(k), b, Rotation::discard).t();
    set_threads(0);
    return t;
  };
  const Tridiagonal one = reduced_by(1);
  for (const int threads : {2, 5}) {
    const Tridiagonal several = reduced_by(threads);
    EXPECT_EQ(several.diagonal, one.diagonal) << threads;
    EXPECT_EQ(several.off_diagonal, one.off_diagonal) << threads;
  }
}

void expect_refusal(Matrix a, const Vector& b, const char* message) {
  try {
    RotatedTridiagonal(std::move(a), b, Rotation::discard);
    FAIL() << message;
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), message);
  }
}

TEST(RotatedTridiagonal, RefusesBadInput) {
  expect_refusal(Matrix::Zero(3, 2), Vector::Zero(3),
                 "a 3 by 2 matrix and a vector of length 3 do not fit together");
  expect_refusal(Matrix(), Vector(), "an empty matrix has no tridiagonal form");
  Matrix bad = Matrix::Identity(3, 3);
  bad(2, 1) = std::nan("");
  expect_refusal(bad, Vector::Ones(3), "the matrix to reduce has an entry that is not finite");
  const Vector infinite = Vector::Constant(3, std::numeric_limits<double>::infinity());
  expect_refusal(Matrix::Identity(3, 3), infinite,
                 "the vector to rotate onto has an entry that is not finite; remove such rows");
  RotatedTridiagonal gone(Matrix::Identity(3, 3), Vector::Ones(3), Rotation::discard);
  EXPECT_THROW(std::move(gone).form_q(), Error);
}

}  // namespace
}  // namespace gnomon::rotated_tridiagonal_test
