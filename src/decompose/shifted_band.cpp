#include "shifted_band.hpp"

#include <cblas.h>

#include <algorithm>

#include "core/lanes.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon {
namespace {

constexpr Index whitened_columns = 256;  // of W at a time, so that a product finds them in the cache
constexpr Index in_step = 4;             // systems: each by itself would wait for its last entry

/// A ← L D Lᵀ in band storage, D in the first row. False where a pivot is not positive.
GNOMON_HOT bool factor_in_place(double* a, Index n, Index width) {
  const Index stride = width + 1;
  for (Index k = 0; k < n; ++k) {
    double* column = a + k * stride;
    const double pivot = column[0];
    if (!(pivot > 0)) return false;
    const Index rows = std::min(width, n - 1 - k);
    for (Index i = 1; i <= rows; ++i) {
      const double entry = column[i] / pivot;
      double* to = a + (k + i) * stride;
      for (Index j = i; j <= rows; ++j) to[j - i] -= entry * column[j];
    }
    for (Index i = 1; i <= rows; ++i) column[i] /= pivot;
  }
  return true;
}

GNOMON_INLINE double dot(const double* a, const double* b, Index count) {
  double sum[kLanes] = {};
  Index j = 0;
  for (; j + kLanes <= count; j += kLanes)
    for (Index l = 0; l < kLanes; ++l) sum[l] += a[j + l] * b[j + l];
  for (; j < count; ++j) sum[0] += a[j] * b[j];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/// v ← λ(L D Lᵀ)⁻¹ v.
GNOMON_HOT void solve_one(const double* factor, const double* scale, Index n, Index width, double* v) {
  const Index stride = width + 1;
  for (Index k = 0; k < n; ++k) {
    const double* column = factor + k * stride;
    const Index rows = std::min(width, n - 1 - k);
    const double own = v[k];
    for (Index j = 1; j <= rows; ++j) v[k + j] -= column[j] * own;
  }
  for (Index k = n - 1; k >= 0; --k) {
    const Index rows = std::min(width, n - 1 - k);
    v[k] = scale[k] * v[k] - dot(factor + k * stride + 1, v + k + 1, rows);
  }
}

/// The same for a few systems in step.
GNOMON_HOT void solve_bands(const double* const* factor, const double* const* scale, Index n, Index width,
                            double* const* v) {
  const Index stride = width + 1;
  for (Index k = 0; k < n; ++k) {
    const Index rows = std::min(width, n - 1 - k);
    for (Index l = 0; l < in_step; ++l) {
      const double* column = factor[l] + k * stride;
      double* to = v[l] + k;
      const double own = to[0];
      for (Index j = 1; j <= rows; ++j) to[j] -= column[j] * own;
    }
  }
  for (Index k = n - 1; k >= 0; --k) {
    const Index rows = std::min(width, n - 1 - k);
    for (Index l = 0; l < in_step; ++l)
      v[l][k] = scale[l][k] * v[l][k] - dot(factor[l] + k * stride + 1, v[l] + k + 1, rows);
  }
}

/// The same for a few tridiagonal systems in step.
GNOMON_HOT void solve_tridiagonals(const double* const* factor, const double* const* scale, Index n,
                                   double* const* v) {
  for (Index k = 1; k < n; ++k)
    for (Index l = 0; l < in_step; ++l) v[l][k] -= factor[l][2 * k - 1] * v[l][k - 1];
  for (Index l = 0; l < in_step; ++l) v[l][n - 1] *= scale[l][n - 1];
  for (Index k = n - 2; k >= 0; --k)
    for (Index l = 0; l < in_step; ++l) v[l][k] = scale[l][k] * v[l][k] - factor[l][2 * k + 1] * v[l][k + 1];
}

/// Columns of W for a tridiagonal matrix: y ← q_k − L(k, k − 1) y, out_k = root_k y.
GNOMON_HOT void next_columns(const double* q, const double* factor, const double* root, Index rows,
                             Index columns, double* y, double* out) {
  for (Index k = 0; k < columns; ++k) {
    const double f = factor[2 * k], r = root[k];
    const double* from = q + k * rows;
    double* to = out + k * rows;
    for (Index i = 0; i < rows; ++i) {
      y[i] = from[i] - f * y[i];
      to[i] = r * y[i];
    }
  }
}

}  // namespace

Matrix band_of(const Tridiagonal& t) {
  Matrix band = Matrix::Zero(2, t.size());
  band.row(0) = t.diagonal;
  if (t.size() > 1) band.row(1).head(t.size() - 1) = t.off_diagonal;
  return band;
}

ShiftedBand::ShiftedBand(const Matrix& band, double lambda) : lambda_(lambda), factor_(band) {
  factor_.row(0).array() += lambda;
  ok_ = factor_in_place(factor_.data(), size(), width());
  if (ok_) scale_ = lambda / factor_.row(0).array();
}

void ShiftedBand::solve(std::span<const ShiftedBand* const> shifted, Matrix& v) {
  const Index count = static_cast<Index>(shifted.size());
  const auto at = [&](Index l) -> const ShiftedBand& { return *shifted[static_cast<std::size_t>(l)]; };
  Index l = 0;
  for (; l + in_step <= count; l += in_step) {
    const double *factor[in_step], *scale[in_step];
    double* own[in_step];
    for (Index i = 0; i < in_step; ++i)
      factor[i] = at(l + i).factor_.data(), scale[i] = at(l + i).scale_.data(), own[i] = v.col(l + i).data();
    const Index width = at(l).width();
    width == 1 ? solve_tridiagonals(factor, scale, v.rows(), own)
               : solve_bands(factor, scale, v.rows(), width, own);
  }
  for (; l < count; ++l)
    solve_one(at(l).factor_.data(), at(l).scale_.data(), v.rows(), at(l).width(), v.col(l).data());
}

void ShiftedBand::visit_whitened(const Matrix& q, const Panel& visit) const {
  if (width() == 1)
    whiten_by_column(q, visit);
  else
    whiten_by_block(q, visit);
}

void ShiftedBand::whiten_by_column(const Matrix& q, const Panel& visit) const {
  const Index n = size(), rows = q.rows();
  const Vector root = scale_.cwiseSqrt();
  Matrix panel(rows, std::min(n, whitened_columns));
  Vector y = Vector::Zero(rows);
  for (Index begin = 0; begin < n; begin += whitened_columns) {
    const Index columns = std::min(whitened_columns, n - begin), before = begin == 0 ? 1 : 0;
    if (before) panel.col(0) = root[0] * (y = q.col(0));
    const Index first = begin + before;  // past the end where there is one column
    next_columns(q.data() + first * rows, factor_.data() + 2 * first - 1, root.data() + first, rows,
                 columns - before, y.data(), panel.data() + before * rows);
    visit(panel.data(), columns);
  }
}

/// With blocks of `width` columns L is block bidiagonal: Y_k L_kkᵀ = Q_k − Y_{k−1} L_{k,k−1}ᵀ, L_{k,k−1} upper triangular. In band storage
/// entry (i, j) lies at i + j·width, so that blocks are matrices of that stride as they are.
void ShiftedBand::whiten_by_block(const Matrix& q, const Panel& visit) const {
  const Index n = size(), b = width(), most = std::max<Index>(1, whitened_columns / b) * b;
  const int rows = static_cast<int>(q.rows()), ld = static_cast<int>(b);
  const auto block_at = [&](Index i, Index j) { return factor_.data() + i + j * b; };
  const Vector root = scale_.cwiseSqrt();
  Matrix y = Matrix::Zero(rows, b), panel(rows, std::min(n, most));
  for (Index begin = 0; begin < n; begin += most) {
    const Index columns = std::min(most, n - begin);
    for (Index k = begin; k < begin + columns; k += b) {
      const Index own = std::min(b, n - k);
      if (k > 0)
        cblas_dtrmm(CblasColMajor, CblasRight, CblasUpper, CblasTrans, CblasNonUnit, rows, ld, 1,
                    block_at(k, k - b), ld, y.data(), rows);
      y.leftCols(own) = q.middleCols(k, own) - y.leftCols(own);
      cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasUnit, rows, static_cast<int>(own),
                  1, block_at(k, k), ld, y.data(), rows);
      panel.middleCols(k - begin, own) = y.leftCols(own) * root.segment(k, own).asDiagonal();
    }
    visit(panel.data(), columns);
  }
}

}  // namespace gnomon
