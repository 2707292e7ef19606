#pragma once

// Samples with a known density ratio, and small helpers of the shift tests.

#include <cmath>

#include "gnomon/core/random.hpp"
#include "gnomon/core/types.hpp"

namespace gnomon::shift_test {

/// Independent normal columns.
inline Matrix normal(Index n, Index d, std::uint64_t seed, double mean = 0, double deviation = 1) {
  Matrix x(n, d);
  for (Index j = 0; j < d; ++j)
    x.col(j) = (deviation * Random(seed, static_cast<std::uint64_t>(j)).normal_vector(n)).array() + mean;
  return x;
}

/// Gaussians of a width about the centres, rows × centres, entry by entry.
inline Matrix gaussians(const Matrix& x, const Matrix& centres, double width) {
  Matrix f(x.rows(), centres.rows());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index k = 0; k < centres.rows(); ++k)
      f(i, k) = std::exp(-(x.row(i) - centres.row(k)).squaredNorm() / (2 * width * width));
  return f;
}

/// Training rows N(0, I); test rows differ in the first column, N(0.7, 0.7²).
struct KnownShift {
  Matrix train, test;
  KnownShift(Index n, Index d, std::uint64_t seed)
      : train(normal(n, d, seed)), test(normal(n, d, seed + 1000)) {
    test.col(0) = (0.7 * test.col(0)).array() + 0.7;
  }
  static Vector ratio(const Matrix& x) {
    return x.col(0).unaryExpr([](double v) {
      const double z = (v - 0.7) / 0.7;
      return std::exp(0.5 * (v * v - z * z)) / 0.7;
    });
  }
};

inline double correlation(const Vector& a, const Vector& b) {
  const Vector x = a.array() - a.mean(), y = b.array() - b.mean();
  return x.dot(y) / std::sqrt(x.squaredNorm() * y.squaredNorm());
}

inline double root_mean_square(const Vector& v) {
  return v.norm() / std::sqrt(static_cast<double>(v.size()));
}

}  // namespace gnomon::shift_test
