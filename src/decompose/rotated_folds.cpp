#include "rotated_folds.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>

#include "gnomon/core/parallel.hpp"
#include "lanes.hpp"

namespace gnomon {
namespace {

constexpr Index panel_columns = 256;  // of W at a time, so that the product finds them in the cache

/// Columns of W = Q_f L⁻ᵀ D^−½, one after another: y ← q_k − factor_k y, out_k = root_k y.
GNOMON_HOT void next_columns(const double* q, const double* factor, const double* root, Index rows,
                             Index columns, double* y, double* out) {
  for (Index k = 0; k < columns; ++k) {
    const double f = factor[k], r = root[k];
    const double* from = q + k * rows;
    double* to = out + k * rows;
    for (Index i = 0; i < rows; ++i) {
      y[i] = from[i] - f * y[i];
      to[i] = r * y[i];
    }
  }
}

/// T + λI = L D Lᵀ and λ(T + λI)⁻¹ e₁ norm.
struct ShiftedFactor {
  Vector factor;  // below the diagonal of L, the entry of row k at k
  Vector root;    // √(λ/D)
  Vector solution;
  bool ok = true;

  ShiftedFactor(const Tridiagonal& t, double norm, double lambda)
      : factor(t.size()), root(t.size()), solution(t.size()) {
    const Index n = t.size();
    double pivot = 1, forward = norm;
    for (Index k = 0; k < n && ok; ++k) {
      const double off = k > 0 ? t.off_diagonal[k - 1] : 0;
      factor[k] = off / pivot;
      pivot = t.diagonal[k] + lambda - off * factor[k];
      ok = pivot > 0;
      if (k > 0) forward *= -factor[k];
      root[k] = std::sqrt(lambda / pivot);
      solution[k] = forward * (lambda / pivot);
    }
    for (Index k = n - 2; k >= 0 && ok; --k) solution[k] -= factor[k + 1] * solution[k + 1];
  }
};

/// The rows of a fold held out at one λ; false where the block is singular to working precision.
bool hold_out(const Matrix& q, const ShiftedFactor& shifted, Vector& e) {
  const int rows = static_cast<int>(q.rows()), n = static_cast<int>(q.cols());
  Matrix block = Matrix::Zero(rows, rows), panel(rows, std::min<Index>(n, panel_columns));
  Vector y = Vector::Zero(rows);
  for (Index first = 0; first < n; first += panel_columns) {
    const Index columns = std::min<Index>(panel_columns, n - first);
    next_columns(&q(0, first), &shifted.factor[first], &shifted.root[first], rows, columns, y.data(),
                 panel.data());
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, rows, static_cast<int>(columns), 1, panel.data(),
                rows, 1, block.data(), rows);
  }
  e.resize(rows);
  cblas_dgemv(CblasColMajor, CblasNoTrans, rows, n, 1, q.data(), rows, shifted.solution.data(), 1, 0,
              e.data(), 1);
  return LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', rows, 1, block.data(), rows, e.data(), rows) == 0;
}

}  // namespace

Matrix rotated_fold_residuals(const RotatedRows& all, const std::vector<std::vector<Index>>& rows_by_fold,
                              std::span<const double> lambdas, const Progress& progress) {
  const Index n = all.t->size(), count = static_cast<Index>(lambdas.size());
  std::vector<ShiftedFactor> shifted;
  for (const double lambda : lambdas) shifted.emplace_back(*all.t, all.norm, lambda);
  Matrix residual = Matrix::Constant(all.q->rows(), count, undefined);
  for (std::size_t f = 0; f < rows_by_fold.size(); ++f) {
    progress("holding rows out", static_cast<double>(f) / static_cast<double>(rows_by_fold.size()));
    const std::vector<Index>& rows = rows_by_fold[f];
    if (rows.empty() || n == 0) continue;
    Matrix q(static_cast<Index>(rows.size()), n);
    parallel_for(n, [&](Index k) { q.col(k) = all.q->col(k)(rows); });
    parallel_for(count, [&](Index l) {
      const ShiftedFactor& own = shifted[static_cast<std::size_t>(l)];
      Vector e;
      if (lambdas[static_cast<std::size_t>(l)] > all.least_lambda && own.ok && hold_out(q, own, e))
        residual.col(l)(rows) = e;
    });
  }
  for (Index l = 0; l < count; ++l)
    if (!residual.col(l).allFinite()) residual.col(l).setConstant(undefined);
  return residual;
}

}  // namespace gnomon
