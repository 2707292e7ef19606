#include <cblas.h>
#include <lapacke.h>

#include <algorithm>

#include "panel_product.hpp"
#include "two_stage.hpp"

namespace gnomon {
namespace {

constexpr int kStripsFrom = 1500;  // order of the trailing matrix
constexpr int kStrip = 256;

/// Workspaces for one panel and its two-sided update. The m × width matrices V, AV and W are kept transposed:
/// column i of `left` holds row i of V above row i of AV, later of W; column i of `right` row i of W above
/// row i of V.
struct Panel {
  Matrix left, right, t, small, combine;
  Panel(Index n, Index width)
      : left(2 * width, n),
        right(2 * width, n),
        t(width, width),
        small(width, width),
        combine(width, 2 * width) {}
};

/// QR of the m × width block at `block`: R stays in its upper trapezoid; V (unit lower trapezoidal) goes to
/// panel.left and the triangular factor to panel.t, both filled up with zeros where m < width.
void factor_panel(double* block, int m, int width, int lda, Panel& panel) {
  const int count = std::min(m, width);
  panel.t.setZero();
  LAPACKE_dgeqrt3_work(LAPACK_COL_MAJOR, m, count, block, lda, panel.t.data(), width);
  if (width > count)
    LAPACKE_dlarfb_work(LAPACK_COL_MAJOR, 'L', 'T', 'F', 'C', m, width - count, count, block, lda,
                        panel.t.data(), width, block + static_cast<Index>(count) * lda, lda,
                        panel.small.data(), width);
  for (Index i = 0; i < m; ++i) {
    double* row = panel.left.data() + i * 2 * width;
    const Index filled = std::min<Index>(i, count);
    for (Index j = 0; j < filled; ++j) row[j] = block[i + j * lda];
    std::fill(row + filled, row + width, 0.0);
    if (i < count) row[i] = 1;
  }
}

/// A ← (I − V T Vᵀ)ᵀ A (I − V T Vᵀ) = A − V Wᵀ − W Vᵀ with W = A V T − ½ V M and M = Tᵀ (VᵀAV) T.
void update_both_sides(double* a, int m, int lda, int width, Panel& panel) {
  const int ld = 2 * width;
  double *vt = panel.left.data(), *yt = vt + width, *wt = panel.right.data(), *t = panel.t.data();
  double* small = panel.small.data();
  panel_product(a, lda, m, vt, yt, ld, width);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, width, width, m, 1.0, vt, ld, yt, ld, 0.0, small,
              width);
  cblas_dtrmm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, width, width, 1.0, t, width,
              small, width);
  cblas_dtrmm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, width, width, 1.0, t, width,
              small, width);
  panel.combine << -0.5 * panel.small.transpose(), panel.t.transpose();
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, width, m, ld, 1.0, panel.combine.data(), width, vt,
              ld, 0.0, wt, ld);
  if (m < kStripsFrom) {
    cblas_dsyr2k(CblasColMajor, CblasLower, CblasTrans, m, width, -1.0, vt, ld, wt, ld, 1.0, a, lda);
    return;
  }
  // (V W)(W V)ᵀ strip by strip: once A has left the cache, products of twice the depth are faster than
  // dsyr2k.
  for (Index i = 0; i < m; ++i) {
    std::copy_n(wt + i * ld, width, yt + i * ld);
    std::copy_n(vt + i * ld, width, wt + i * ld + width);
  }
  for (int j = 0; j < m; j += kStrip)
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m - j, std::min(kStrip, m - j), ld, -1.0,
                vt + static_cast<Index>(j) * ld, ld, wt + static_cast<Index>(j) * ld, ld, 1.0,
                a + j + static_cast<Index>(j) * lda, lda);
}

}  // namespace

Band reduce_to_band(Matrix& a, Index width) {
  const Index n = a.rows();
  const int lda = static_cast<int>(n), b = static_cast<int>(width);
  Panel panel(n, width);
  Band band(n, width);
  for (Index begin = 0; begin < n; begin += width) {
    const Index below = begin + width;
    const int m = static_cast<int>(n - below);
    if (m > 0) {
      factor_panel(&a(below, begin), m, b, lda, panel);
      update_both_sides(&a(below, below), m, lda, b, panel);
    }
    for (Index j = begin; j < std::min(below, n); ++j)
      for (Index i = j; i < std::min(j + width + 1, n); ++i) {
        *band.at(i, j) = a(i, j);
        if (i - j < width) *band.at(j, i) = a(i, j);
      }
  }
  return band;
}

}  // namespace gnomon
