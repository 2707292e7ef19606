#include "represent/gram.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon::gram_test {
namespace {

/// The kernel value written out with the standard library, and how much it magnifies a rounding of its
/// argument: t for exp(−t), 3 (1 + |z|) / |1 + z| for (1 + z)³.
struct Reference {
  double value, condition;
};

Reference slow_kernel(const std::string& spec, double w, const Vector& a, const Vector& b) {
  double r2 = 0, dot = 0;
  for (Index k = 0; k < a.size(); ++k) r2 += (a[k] - b[k]) * (a[k] - b[k]), dot += a[k] * b[k];
  const double r = std::sqrt(r2), s3 = std::sqrt(3.0) * r / w, s5 = std::sqrt(5.0) * r / w;
  if (spec == "gaussian") return {std::exp(-r2 / (2 * w * w)), r2 / (2 * w * w)};
  if (spec == "laplace") return {std::exp(-r / w), r / w};
  if (spec == "matern32") return {(1 + s3) * std::exp(-s3), s3};
  if (spec == "matern52") return {(1 + s5 + s5 * s5 / 3) * std::exp(-s5), s5};
  if (spec == "linear") return {dot, 0};
  const double z = dot / (w * w), base = 1 + z;
  return {base * base * base, base == 0 ? 0 : 3 * (1 + std::abs(z)) / std::abs(base)};
}

/// Multiples of 1/64 in [−2, 2]: differences, squares and sums of them are exact. Every fifth row is a
/// repeat.
Matrix exact_inputs(Index n, Index d, std::uint64_t seed) {
  Random random(seed);
  Matrix x(n, d);
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < d; ++k)
      x(i, k) =
          i % 5 == 4 ? x(i / 2, k) : static_cast<double>(static_cast<int>(random.below(257)) - 128) / 64;
  return x;
}

class EveryKernel : public ::testing::TestWithParam<const char*> {
 protected:
  bool stationary() const {
    return !std::string(GetParam()).starts_with("poly") && std::string(GetParam()) != "linear";
  }
};

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryKernel,
                         ::testing::Values("gaussian", "laplace", "matern32", "matern52", "polynomial:3",
                                           "linear"));

TEST_P(EveryKernel, EqualsTheSlowLoop) {
  for (const Index n : {1, 3, 8, 37, 131, 260})
    for (const Index d : {1, 2, 5, 11}) {
      const Matrix x = exact_inputs(n, d, static_cast<std::uint64_t>(n * 100 + d));
      for (const double width : {1.0, 0.3, 5.0}) {
        const Matrix k = gram(parse_kernel(GetParam(), width), x);
        ASSERT_EQ(k.rows(), n);
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < n; ++j) {
            const auto [want, condition] = slow_kernel(GetParam(), width, x.row(i), x.row(j));
            const double tolerance = (4 + 2 * condition) * 0x1p-52 * std::abs(want) + 1e-300;
            ASSERT_NEAR(k(i, j), want, tolerance) << n << " " << d << " " << width << " at " << i << "," << j;
          }
      }
    }
}

TEST(Gram, IsFourUlpFromTheSlowLoopWhereTheArgumentIsExact) {
  const Matrix x = exact_inputs(70, 3, 5);
  for (const auto* spec : {"gaussian", "linear"}) {
    const Matrix k = gram(parse_kernel(spec, 0.5), x);
    for (Index i = 0; i < 70; ++i)
      for (Index j = 0; j < 70; ++j) {
        const double want = slow_kernel(spec, 0.5, x.row(i), x.row(j)).value;
        ASSERT_LE(std::abs(k(i, j) - want), 4 * (std::nextafter(std::abs(want), INFINITY) - std::abs(want)));
      }
  }
}

TEST_P(EveryKernel, IsExactlySymmetricAndPositiveSemidefinite) {
  Random random(3);
  Matrix x(150, 3);
  for (Index k = 0; k < 3; ++k) x.col(k) = random.normal_vector(150);
  x.bottomRows(20) = x.topRows(20);
  const Matrix k = gram(parse_kernel(GetParam(), 0.8), x);
  EXPECT_EQ(k, k.transpose());
  // Positive semidefinite up to rounding: a shift of rounding size makes it positive definite.
  const Matrix shifted = k + 0x1p-52 * k.trace() * Matrix::Identity(150, 150);
  EXPECT_EQ(Eigen::LLT<Matrix>(shifted).info(), Eigen::Success);
}

TEST_P(EveryKernel, HasTheRightDiagonalAndExactRepeats) {
  Random random(4);
  Matrix x(140, 2);
  for (Index k = 0; k < 2; ++k) x.col(k) = random.normal_vector(140);
  x.row(139) = x.row(7);
  const Kernel kernel = parse_kernel(GetParam(), 1.3);
  const Matrix k = gram(kernel, x);
  EXPECT_EQ(k(139, 7), k(7, 7));
  for (Index i = 0; i < 140; ++i) {
    if (stationary()) {
      EXPECT_EQ(k(i, i), 1);
    } else {
      EXPECT_NEAR(k(i, i), slow_kernel(GetParam(), 1.3, x.row(i), x.row(i)).value,
                  1e-12 * (1 + std::abs(k(i, i))));
    }
  }
}

TEST_P(EveryKernel, IgnoresAShiftIfStationary) {
  const Matrix x = exact_inputs(90, 4, 6);
  const Kernel kernel = parse_kernel(GetParam(), 0.7);
  const Matrix here = gram(kernel, x), there = gram(kernel, (x.array() + 1e6).matrix());
  EXPECT_EQ(here == there, stationary());
}

TEST_P(EveryKernel, CrossGramAgreesBitForBitHoweverItIsCut) {
  Random random(7);
  Matrix x(201, 5);
  for (Index k = 0; k < 5; ++k) x.col(k) = random.normal_vector(201);
  const Kernel kernel = parse_kernel(GetParam(), 1.1);
  const Matrix whole = gram(kernel, x);
  EXPECT_EQ(cross_gram(kernel, x, x), whole);
  for (const Index block : {1, 3, 8, 67, 130})
    for (Index begin = 0; begin < 201; begin += block) {
      const Index size = std::min<Index>(block, 201 - begin);
      ASSERT_EQ(cross_gram(kernel, x.middleRows(begin, size), x), whole.middleRows(begin, size)) << block;
      ASSERT_EQ(cross_gram(kernel, x, x.middleRows(begin, size)), whole.middleCols(begin, size)) << block;
    }
}

TEST_P(EveryKernel, DoesNotDependOnThreads) {
  const Matrix x = exact_inputs(400, 3, 8);
  const Kernel kernel = parse_kernel(GetParam(), 1);
  set_threads(1);
  const Matrix one = gram(kernel, x);
  set_threads(3);
  EXPECT_EQ(gram(kernel, x), one);
  set_threads(0);
}

TEST(Gram, EmptyAndMismatchedInputs) {
  const Kernel kernel = Gaussian{1};
  EXPECT_EQ(gram(kernel, Matrix(0, 3)).size(), 0);
  EXPECT_EQ(cross_gram(kernel, Matrix(0, 3), Matrix::Ones(4, 3)).cols(), 4);
  try {
    cross_gram(kernel, Matrix::Ones(2, 3), Matrix::Ones(4, 5));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("3 columns"), std::string::npos) << error.what();
  }
}

TEST(Gram, NotANumberIsNotHidden) {
  Matrix x = Matrix::Ones(10, 2);
  x(3, 1) = NAN;
  const Matrix k = gram(Gaussian{1}, x);
  EXPECT_TRUE(std::isnan(k(3, 5)) && std::isnan(k(5, 3)));
  EXPECT_EQ(k(2, 5), 1);
}

TEST(SquaredDistances, AreExactOnExactInputs) {
  const Matrix a = exact_inputs(75, 3, 9), b = exact_inputs(33, 3, 10);
  const Matrix distance = squared_distances(a, b);
  for (Index i = 0; i < 75; ++i)
    for (Index j = 0; j < 33; ++j) ASSERT_EQ(distance(i, j), (a.row(i) - b.row(j)).squaredNorm());
}

}  // namespace
}  // namespace gnomon::gram_test
