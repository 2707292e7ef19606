#include "tridiagonal.hpp"

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

double largest_entry(const Tridiagonal& t) {
  double largest = 0;
  for (double x : t.diagonal) largest = std::max(largest, std::abs(x));
  for (double x : t.off_diagonal) largest = std::max(largest, std::abs(x));
  return largest;
}

/// The power of two that brings `largest` into [1, 2), so that squares neither overflow nor vanish.
double unit_scale(double largest) { return largest > 0 ? std::ldexp(1.0, -std::ilogb(largest)) : 1.0; }

/// End of the unreduced block that starts at row `begin`; the entry that ends it is set to zero. The entries
/// of T are at most 2; what is dropped changes the eigenvalues by no more than the rounding of T itself.
Index block_end(const double* d, double* e, Index begin, Index n) {
  Index end = begin;
  while (end + 1 < n && std::abs(e[end]) > kEpsilon * std::max(std::abs(d[end]) + std::abs(d[end + 1]), 0.01))
    ++end;
  if (end + 1 < n) e[end] = 0;
  return end;
}

/// One implicit QL step on rows begin..end with Wilkinson's shift; z is the first row of the eigenvector
/// matrix.
void ql_step(double* d, double* e, double* z, Index begin, Index end) {
  const double half = (d[begin + 1] - d[begin]) / (2 * e[begin]);
  const double root = std::copysign(std::hypot(half, 1.0), half);
  double g = d[end] - d[begin] + e[begin] / (half + root);
  double s = 1, c = 1, p = 0;
  for (Index i = end - 1; i >= begin; --i) {
    const double f = s * e[i], b = c * e[i];
    const double r = std::sqrt(f * f + g * g);
    e[i + 1] = r;
    if (r == 0) {  // the block splits at row i + 1
      d[i + 1] -= p;
      e[end] = 0;
      return;
    }
    const double inverse = 1 / r;
    s = f * inverse;
    c = g * inverse;
    g = d[i + 1] - p;
    const double turned = (d[i] - g) * s + 2 * c * b;
    p = s * turned;
    d[i + 1] = g + p;
    g = c * turned - b;
    const double carried = z[i + 1];
    z[i + 1] = s * z[i] + c * carried;
    z[i] = c * z[i] - s * carried;
  }
  d[begin] -= p;
  e[begin] = g;
  e[end] = 0;
}

void check_shape(const Tridiagonal& t) {
  require(t.off_diagonal.size() == std::max<Index>(t.size() - 1, 0),
          "a tridiagonal matrix of order {} needs {} off-diagonal entries, not {}", t.size(),
          std::max<Index>(t.size() - 1, 0), t.off_diagonal.size());
}

}  // namespace

FirstComponents eigen_with_first_components(const Tridiagonal& t) {
  check_shape(t);
  const Index n = t.size();
  const double scale = unit_scale(largest_entry(t));
  Vector d = t.diagonal * scale, e = Vector::Zero(n), z = Vector::Zero(n);
  if (n > 0) z[0] = 1;
  e.head(t.off_diagonal.size()) = t.off_diagonal * scale;
  Index steps = 0;
  for (Index begin = 0; begin < n; ++begin) {
    bool fresh = true;
    for (Index end = block_end(d.data(), e.data(), begin, n); end > begin;
         end = block_end(d.data(), e.data(), begin, n)) {
      require(++steps <= 30 * n,
              "the eigenvalues of a tridiagonal matrix of order {} did not converge; check it for NaN", n);
      // QL loses the small eigenvalues of a matrix that is graded downwards; turned around it keeps them.
      if (fresh && std::abs(d[begin]) > std::abs(d[end])) {
        std::reverse(d.data() + begin, d.data() + end + 1);
        std::reverse(e.data() + begin, e.data() + end);
        std::reverse(z.data() + begin, z.data() + end + 1);
      }
      fresh = false;
      ql_step(d.data(), e.data(), z.data(), begin, end);
    }
  }
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return d[i] < d[j]; });
  FirstComponents result{Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    result.values[i] = d[order[i]] / scale;
    result.squared_first[i] = z[order[i]] * z[order[i]];
  }
  return result;
}

Index count_not_above(const Tridiagonal& t, double x) {
  check_shape(t);
  const Index n = t.size();
  const double scale = unit_scale(std::max(largest_entry(t), std::abs(x)));
  Index above = 0;
  double pivot = 1;
  for (Index i = 0; i < n; ++i) {
    const double off = i > 0 ? t.off_diagonal[i - 1] * scale : 0.0;
    pivot = (x - t.diagonal[i]) * scale - off * off / pivot;
    if (std::abs(pivot) < std::numeric_limits<double>::min()) pivot = std::numeric_limits<double>::min();
    above += pivot < 0;
  }
  return n - above;
}

double largest_eigenvalue(const Tridiagonal& t) {
  double hi = 0;
  for (Index i = 0; i < t.size(); ++i) {
    double radius = i > 0 ? std::abs(t.off_diagonal[i - 1]) : 0;
    if (i + 1 < t.size()) radius += std::abs(t.off_diagonal[i]);
    hi = std::max(hi, t.diagonal[i] + radius);
  }
  double lo = 0;
  while (hi - lo > 1e-6 * hi) {
    const double middle = (lo + hi) / 2;
    (count_not_above(t, middle) == t.size() ? hi : lo) = middle;
  }
  return hi;
}

std::optional<double> rounding_floor(const Tridiagonal& t, double tolerance) {
  const double rounding = tolerance * largest_eigenvalue(t);
  return t.size() > 0 && count_not_above(t, rounding) > 0 ? std::optional(rounding) : std::nullopt;
}

void solve_shifted(const Tridiagonal& t, double lambda, Eigen::Ref<Matrix> b) {
  check_shape(t);
  const Index n = t.size();
  require(b.rows() == n, "the right-hand side has {} rows, the tridiagonal matrix is of order {}", b.rows(),
          n);
  require(lambda > 0 && std::isfinite(lambda),
          "the shift of a tridiagonal matrix must be positive and finite, not {}", lambda);
  if (n == 0) return;
  Vector pivot(n), factor = Vector::Zero(n);
  pivot[0] = t.diagonal[0] + lambda;
  for (Index i = 1; i < n; ++i) {
    factor[i] = t.off_diagonal[i - 1] / pivot[i - 1];
    pivot[i] = t.diagonal[i] + lambda - t.off_diagonal[i - 1] * factor[i];
  }
  if (!(pivot.minCoeff() > 0)) {
    Vector lower = t.off_diagonal, upper = t.off_diagonal, middle = t.diagonal.array() + lambda;
    Matrix copy = b;
    const auto info =
        LAPACKE_dgtsv(LAPACK_COL_MAJOR, static_cast<lapack_int>(n), static_cast<lapack_int>(b.cols()),
                      lower.data(), middle.data(), upper.data(), copy.data(), static_cast<lapack_int>(n));
    require(info == 0, "the matrix shifted by {} is singular to working precision; use a larger shift",
            lambda);
    b = copy;
    return;
  }
  for (Index j = 0; j < b.cols(); ++j) {
    double* x = b.data() + j * b.outerStride();
    for (Index i = 1; i < n; ++i) x[i] -= factor[i] * x[i - 1];
    x[n - 1] /= pivot[n - 1];
    for (Index i = n - 2; i >= 0; --i) x[i] = x[i] / pivot[i] - factor[i + 1] * x[i + 1];
  }
}

}  // namespace gnomon
