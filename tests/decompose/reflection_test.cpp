#include "decompose/reflection.hpp"

#include <gtest/gtest.h>

#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon::reflection_test {
namespace {

struct Reflected {
  Matrix a, p;  // a symmetric matrix, and the reflection that takes `direction` to the first axis
  Vector direction;

  Reflected(Index n, std::uint64_t seed) : a(n, n), direction(Vector::Ones(n)) {
    Random random(seed);
    for (double& entry : a.reshaped()) entry = random.normal();
    a = (a + a.transpose()).eval();
    for (Index i = 0; i < n; ++i) direction[i] += 0.5 * random.uniform();
    Vector v = direction.normalized();
    v[0] += 1;
    p = Matrix::Identity(n, n) - 2 / v.squaredNorm() * v * v.transpose();
  }
};

TEST(Reflection, CompressesASymmetricMatrix) {
  for (const int threads : {1, 3}) {
    set_threads(threads);
    for (const Index n : {1, 2, 3, 40, 700}) {
      const Reflected slow(n, 5);
      Matrix a = slow.a;
      const Matrix compressed = Reflection(slow.direction).compress_symmetric(std::move(a));
      const Matrix expected = (slow.p * slow.a * slow.p).bottomRightCorner(n - 1, n - 1);
      ASSERT_EQ(compressed.rows(), n - 1);
      ASSERT_EQ(compressed.cols(), n - 1);
      EXPECT_LE((compressed - expected).norm(), 1e-14 * slow.a.norm()) << n;
    }
  }
  set_threads(0);
}

TEST(Reflection, ExpandsToTheComplementOfItsDirection) {
  for (const Index n : {2, 3, 40}) {
    const Reflected slow(n, 6);
    const Reflection reflection(slow.direction);
    const Matrix m = slow.a.leftCols(2);
    EXPECT_LE((reflection.compress(m) - (slow.p * m).bottomRows(n - 1)).norm(), 1e-14 * m.norm());
    const Matrix expanded = reflection.expand(m.bottomRows(n - 1));
    EXPECT_LE((slow.direction.transpose() * expanded).norm(), 1e-14 * m.norm() * slow.direction.norm());
    EXPECT_LE((reflection.compress(expanded) - m.bottomRows(n - 1)).norm(), 1e-14 * m.norm());
  }
}

}  // namespace
}  // namespace gnomon::reflection_test
