#pragma once

// Small linear problems and central differences for the tests of adaptive regularization.

#include <Eigen/Cholesky>
#include <cmath>
#include <functional>

#include "gnomon/core/random.hpp"
#include "learn/ridge_groups/grouped_ridge.hpp"

namespace gnomon::reference::testing {

inline Matrix normal_matrix(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Matrix m(rows, cols);
  for (Index j = 0; j < cols; ++j) m.col(j) = random.normal_vector(rows);
  return m;
}

/// Targets of alternating, slowly decaying weights plus noise.
inline Matrix targets(const Matrix& x, Index outputs, std::uint64_t seed, double noise = 0.7) {
  Matrix w(x.cols(), outputs);
  for (Index i = 0; i < w.rows(); ++i) {
    for (Index o = 0; o < outputs; ++o)
      w(i, o) = ((i + o) % 2 ? -1.0 : 1.0) * 2 / static_cast<double>(1 + i + o);
  }
  return x * w + noise * normal_matrix(x.rows(), outputs, seed);
}

struct Problem {
  const char* name;
  GroupedRidge ridge;
  Vector kappa;
};

inline std::vector<Problem> problems() {
  std::vector<Problem> all;
  const Matrix tall = [] {
    Matrix x = normal_matrix(30, 7, 1);
    x.col(6).setOnes();
    return x;
  }();
  const Matrix wide = normal_matrix(9, 14, 2), plain = normal_matrix(24, 4, 3),
               square = normal_matrix(18, 5, 4);
  all.push_back({"tall with free bias",
                 GroupedRidge(tall, targets(tall, 1, 5), GroupedPenalty::decay({0, 0, 1, 1, 2, 2, -1})),
                 Vector{{0.3, 0.02, 1.1}}});
  all.push_back({"wide",
                 GroupedRidge(wide, targets(wide, 1, 6),
                              GroupedPenalty::decay({0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2})),
                 Vector{{0.2, 0.6, 0.05}}});
  all.push_back({"two outputs",
                 GroupedRidge(plain, targets(plain, 2, 7), GroupedPenalty::decay({0, 0, 1, 1, 0, 0, 2, 2})),
                 Vector{{0.1, 0.4, 0.03}}});
  Matrix differences = Matrix::Zero(3, 5);
  for (Index i = 0; i < 3; ++i) differences.row(i).segment(i, 3) << 1, -2, 1;
  all.push_back({"smoothness penalty",
                 GroupedRidge(square, targets(square, 1, 8),
                              GroupedPenalty::quadratic(
                                  {Matrix::Identity(5, 5), differences.transpose() * differences})),
                 Vector{{0.05, 0.4}}});
  return all;
}

/// Fourth-order central differences in log κ.
inline Vector differences(const std::function<double(const Vector&)>& value, const Vector& kappa,
                          double h = 2e-3) {
  Vector d(kappa.size());
  for (Index g = 0; g < kappa.size(); ++g) {
    const auto at = [&](double step) {
      Vector k = kappa;
      k[g] *= std::exp(step);
      return value(k);
    };
    d[g] = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }
  return d;
}

/// ŵ of chosen rows by plain normal equations.
inline Matrix refit(const GroupedRidge& ridge, const Vector& kappa, const std::vector<Index>& rows) {
  const Matrix x = ridge.x()(rows, Eigen::all), y = ridge.y()(rows, Eigen::all);
  const double n = static_cast<double>(rows.size());
  Matrix w(x.cols(), y.cols());
  for (Index o = 0; o < y.cols(); ++o) {
    Matrix b = x.transpose() * x / n;
    ridge.penalty_of_output(o).add_to(b, kappa);
    w.col(o) = b.ldlt().solve(x.transpose() * y.col(o) / n);
  }
  return w;
}

}  // namespace gnomon::reference::testing
