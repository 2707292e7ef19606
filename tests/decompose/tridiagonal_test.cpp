#include "decompose/tridiagonal.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "gnomon/core/error.hpp"

namespace gnomon::tridiagonal_test {
namespace {

Matrix dense(const Tridiagonal& t) {
  Matrix m = t.diagonal.asDiagonal();
  for (Index i = 0; i + 1 < t.size(); ++i) m(i, i + 1) = m(i + 1, i) = t.off_diagonal[i];
  return m;
}

/// T = L Lᵀ with L random lower bidiagonal: positive definite, condition number moderate.
Tridiagonal random_positive(Index n, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(0.2, 1.0);
  Vector main(n), below = Vector::Zero(n);
  for (Index i = 0; i < n; ++i) main[i] = uniform(generator);
  for (Index i = 1; i < n; ++i) below[i] = uniform(generator) - 0.6;
  Tridiagonal t{Vector(n), Vector(std::max<Index>(n - 1, 0))};
  for (Index i = 0; i < n; ++i) t.diagonal[i] = main[i] * main[i] + below[i] * below[i];
  for (Index i = 0; i + 1 < n; ++i) t.off_diagonal[i] = below[i + 1] * main[i];
  return t;
}

Tridiagonal scaled(Tridiagonal t, double factor) {
  t.diagonal *= factor;
  t.off_diagonal *= factor;
  return t;
}

void expect_close(double value, double reference, double tolerance, const char* what, double lambda) {
  EXPECT_NEAR(value, reference, tolerance * std::abs(reference)) << what << " at lambda " << lambda;
}

const std::vector<double> kLambdas{1e-6, 1e-4, 1e-3, 0.01, 0.1, 0.5, 1, 10, 100, 1e6};

TEST(Resolvent, EqualsSumsOverTheEigenvalues) {
  for (Index n : {1, 2, 3, 17, 60}) {
    const Tridiagonal t = random_positive(n, 3 + static_cast<unsigned>(n));
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(dense(t));
    const Eigen::ArrayXd theta = eigen.eigenvalues().array();
    const Eigen::ArrayXd weight = eigen.eigenvectors().row(0).array().square();
    const auto all = resolvents(t, kLambdas);
    ASSERT_EQ(all.size(), kLambdas.size());
    for (std::size_t l = 0; l < kLambdas.size(); ++l) {
      const double lambda = kLambdas[l];
      const Resolvent& r = all[l];
      ASSERT_TRUE(r.ok);
      const Eigen::ArrayXd shrunk = 1 / (theta + lambda), gain = theta / (theta + lambda);
      expect_close(r.log_det, (theta + lambda).log().sum(), 1e-11, "log det", lambda);
      for (int k = 1; k <= 4; ++k) {
        expect_close(r.trace[k - 1], shrunk.pow(k).sum(), 1e-10, "trace", lambda);
        expect_close(r.first[k - 1], (weight * shrunk.pow(k)).sum(), 1e-10, "first", lambda);
        expect_close(r.complement_trace[k - 1], (lambda * shrunk).pow(k).sum(), 1e-10, "complement", lambda);
        expect_close(r.complement_first[k - 1], (weight * (lambda * shrunk).pow(k)).sum(), 1e-10,
                     "complement", lambda);
      }
      for (int k = 1; k <= 2; ++k) {
        expect_close(r.gain_trace[k - 1], gain.pow(k).sum(), 1e-11, "gain trace", lambda);
        expect_close(r.gain_first[k - 1], (weight * gain.pow(k)).sum(), 1e-10, "gain first", lambda);
      }
      const Resolvent alone = resolvent(t, lambda);
      EXPECT_EQ(alone.log_det, r.log_det);
      EXPECT_EQ(alone.trace, r.trace);
      EXPECT_EQ(alone.first, r.first);
    }
  }
}

TEST(Resolvent, StaysFiniteForExtremeShiftsAndScales) {
  const Tridiagonal t = random_positive(20, 5);
  for (double lambda : {1e-300, 1e-200, 1e200, 1e300}) {
    const Resolvent r = resolvent(t, lambda);
    if (!r.ok) {
      EXPECT_TRUE(std::isnan(r.log_det) && std::isnan(r.trace[0]) && std::isnan(r.gain_first[1]));
      continue;
    }
    EXPECT_TRUE(std::isfinite(r.log_det));
    EXPECT_NEAR(r.gain_trace[0] + r.complement_trace[0], 20, 1e-12);
    if (lambda > 1) {
      EXPECT_NEAR(r.gain_trace[0] * lambda, t.diagonal.sum(), 1e-12 * t.diagonal.sum());
    }
  }
  for (double factor : {1e-150, 1e150}) {
    const Resolvent r = resolvent(scaled(t, factor), 0.1 * factor), plain = resolvent(t, 0.1);
    ASSERT_TRUE(r.ok);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(r.complement_trace[k], plain.complement_trace[k], 1e-11);
    EXPECT_NEAR(r.log_det, plain.log_det + 20 * std::log(factor), 1e-8);
  }
}

TEST(Resolvent, OfTheZeroMatrix) {
  const Resolvent r = resolvent({Vector::Zero(4), Vector::Zero(3)}, 0.5);
  ASSERT_TRUE(r.ok);
  EXPECT_DOUBLE_EQ(r.log_det, 4 * std::log(0.5));
  EXPECT_DOUBLE_EQ(r.trace[3], 4 * 16.0);
  EXPECT_DOUBLE_EQ(r.first[1], 4.0);
  EXPECT_EQ(r.gain_trace[0], 0.0);
}

TEST(Resolvent, SaysSoWhenTheShiftIsBelowRounding) {
  const Tridiagonal indefinite{Vector::Constant(3, -1e-3), Vector::Zero(2)};
  EXPECT_FALSE(resolvent(indefinite, 1e-6).ok);
  EXPECT_TRUE(std::isnan(resolvent(indefinite, 1e-6).trace[0]));
}

TEST(Resolvent, RefusesANonPositiveShift) {
  try {
    resolvent(random_positive(3, 1), -1.0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the shift of a tridiagonal matrix must be positive and finite, not -1");
  }
  EXPECT_THROW(resolvent(random_positive(3, 1), std::nan("")), Error);
  Matrix b = Matrix::Ones(3, 1);
  EXPECT_THROW(solve_shifted(random_positive(3, 1), 0.0, b), Error);
}

TEST(Eigen, ValuesAndFirstComponentsEqualTheDenseOnes) {
  for (Index n : {1, 2, 3, 10, 200}) {
    const Tridiagonal t = random_positive(n, 21 + static_cast<unsigned>(n));
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(dense(t));
    const FirstComponents fast = eigen_with_first_components(t);
    EXPECT_LT((fast.values - eigen.eigenvalues()).cwiseAbs().maxCoeff(), 1e-13 * eigen.eigenvalues()[n - 1]);
    EXPECT_LT(
        (fast.squared_first - eigen.eigenvectors().row(0).transpose().cwiseAbs2()).cwiseAbs().maxCoeff(),
        1e-11);
    EXPECT_NEAR(fast.squared_first.sum(), 1, 1e-13);
  }
}

TEST(Eigen, HandlesSplitRepeatedAndScaledMatrices) {
  Vector diagonal(5);
  diagonal << 3, 1, 1, 2, 1;
  const FirstComponents split = eigen_with_first_components({diagonal, Vector::Zero(4)});
  Vector sorted(5), first(5);
  sorted << 1, 1, 1, 2, 3;
  first << 0, 0, 0, 0, 1;
  EXPECT_EQ(split.values, sorted);
  EXPECT_EQ(split.squared_first, first);

  const FirstComponents zero = eigen_with_first_components({Vector::Zero(3), Vector::Zero(2)});
  EXPECT_EQ(zero.values.cwiseAbs().maxCoeff(), 0);

  const Tridiagonal t = random_positive(30, 8);
  const FirstComponents plain = eigen_with_first_components(t);
  for (double factor : {1e-150, 1e150, 1e-300}) {
    const FirstComponents other = eigen_with_first_components(scaled(t, factor));
    EXPECT_LT((other.values / factor - plain.values).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_LT((other.squared_first - plain.squared_first).cwiseAbs().maxCoeff(), 1e-12);
  }

  Tridiagonal null_diagonal{Vector::Zero(4),
                            Vector::Ones(3)};  // eigenvalues 2 cos(kπ/5), symmetric about zero
  const FirstComponents chain = eigen_with_first_components(null_diagonal);
  for (int k = 1; k <= 4; ++k) EXPECT_NEAR(chain.values[4 - k], 2 * std::cos(k * M_PI / 5), 1e-14);
}

TEST(CountNotAbove, CountsLikeTheSortedEigenvalues) {
  const Tridiagonal t = random_positive(50, 9);
  const Vector theta = eigen_with_first_components(t).values;
  for (Index k = 0; k + 1 < 50; ++k) {
    const double middle = 0.5 * (theta[k] + theta[k + 1]);
    if (theta[k + 1] - theta[k] > 1e-10) {
      EXPECT_EQ(count_not_above(t, middle), k + 1);
    }
  }
  EXPECT_EQ(count_not_above(t, theta[49] + 1), 50);
  EXPECT_EQ(count_not_above(t, theta[0] - 1), 0);
  EXPECT_EQ(count_not_above({Vector::Ones(4), Vector::Zero(3)}, 1.0), 4);
  EXPECT_EQ(count_not_above({Vector::Ones(4), Vector::Zero(3)}, std::nextafter(1.0, 0.0)), 0);
  EXPECT_EQ(count_not_above({Vector::Zero(2), Vector::Ones(1)}, 0.0), 1);
  EXPECT_EQ(count_not_above(scaled(t, 1e200), 0.5e200), count_not_above(t, 0.5));
}

TEST(SolveShifted, EqualsADenseSolve) {
  for (Index n : {1, 2, 40}) {
    const Tridiagonal t = random_positive(n, 14);
    const Matrix b = Matrix::Random(n, 5);
    for (double lambda : {1e-6, 0.1, 50.0}) {
      Matrix x = b;
      solve_shifted(t, lambda, x);
      Matrix shifted = dense(t);
      shifted.diagonal().array() += lambda;
      EXPECT_LT((shifted * x - b).cwiseAbs().maxCoeff(), 1e-11 * (1 + x.cwiseAbs().maxCoeff()));
    }
  }
}

TEST(SolveShifted, PivotsWhereTheShiftedMatrixIsIndefinite) {
  const Tridiagonal t{Vector::Constant(4, -0.5), Vector::Ones(3)};
  Matrix x = Matrix::Random(4, 2);
  const Matrix b = x;
  solve_shifted(t, 0.5, x);
  EXPECT_LT((dense({Vector::Zero(4), Vector::Ones(3)}) * x - b).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(ShiftedDiagonal, EqualsTheDenseInverse) {
  for (Index n : {1, 2, 9, 37}) {
    const Tridiagonal t = random_positive(n, 31);
    const Matrix q =
        Eigen::HouseholderQR<Matrix>(Matrix::Random(n, n)).householderQ() * Matrix::Identity(n, n);
    const double norm = 2.5;
    const Vector b = norm * q.col(0);
    Matrix diagonal, residual;
    shifted_diagonal_and_residual(q, t, norm, kLambdas, diagonal, residual);
    for (std::size_t l = 0; l < kLambdas.size(); ++l) {
      Matrix a = q * dense(t) * q.transpose();
      a.diagonal().array() += kLambdas[l];
      const Matrix complement = kLambdas[l] * a.inverse();
      const double size = complement.cwiseAbs().maxCoeff();
      EXPECT_LT((diagonal.col(l) - complement.diagonal()).cwiseAbs().maxCoeff(), 1e-11 * size);
      EXPECT_LT((residual.col(l) - complement * b).cwiseAbs().maxCoeff(), 1e-11 * size * norm);
    }
  }
}

TEST(Tridiagonal, RefusesSizesThatDoNotFit) {
  const Tridiagonal wrong{Vector::Ones(3), Vector::Ones(3)};
  try {
    eigen_with_first_components(wrong);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a tridiagonal matrix of order 3 needs 2 off-diagonal entries, not 3");
  }
}

}  // namespace
}  // namespace gnomon::tridiagonal_test
