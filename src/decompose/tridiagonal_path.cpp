#include "tridiagonal_path.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/parallel.hpp"

namespace gnomon::detail {
namespace {

GNOMON_HOT void pivot_row(Index count, double alpha, double beta2, const double* lambda, const double* below,
                          double* pivot) {
  for (Index l = 0; l < count; ++l) pivot[l] = alpha + lambda[l] - beta2 / below[l];
}

GNOMON_HOT void solution_row(Index count, double beta, const double* before, double* pivot_to_x) {
  for (Index l = 0; l < count; ++l) {
    const double x = -beta * before[l] / pivot_to_x[l];
    pivot_to_x[l] = std::abs(x) < 1e-290 ? 0.0 : x;
  }
}

}  // namespace

void tridiagonal_first_columns(Index m, const double* alpha, const double* beta,
                               std::span<const double> lambdas, Matrix& columns) {
  const Index count = static_cast<Index>(lambdas.size());
  columns.resize(count, m);
  if (m == 0 || count == 0) return;
  for (Index l = 0; l < count; ++l) columns(l, m - 1) = alpha[m - 1] + lambdas[static_cast<std::size_t>(l)];
  for (Index i = m - 2; i >= 0; --i)
    pivot_row(count, alpha[i], beta[i] * beta[i], lambdas.data(), &columns(0, i + 1), &columns(0, i));
  for (Index l = 0; l < count; ++l) columns(l, 0) = 1 / columns(l, 0);
  for (Index i = 0; i + 1 < m; ++i) solution_row(count, beta[i], &columns(0, i), &columns(0, i + 1));
}

double tridiagonal_bound(Index m, const double* alpha, const double* beta) {
  double bound = 0;
  for (Index i = 0; i < m; ++i)
    bound = std::max(bound, std::abs(alpha[i]) + (i > 0 ? std::abs(beta[i - 1]) : 0) +
                                (i + 1 < m ? std::abs(beta[i]) : 0));
  return bound;
}

}  // namespace gnomon::detail
