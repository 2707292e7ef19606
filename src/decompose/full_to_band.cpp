#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <vector>

#include "core/team.hpp"
#include "panel_product.hpp"
#include "two_stage.hpp"

namespace gnomon {
namespace {

constexpr Index chunk_rows = 256;  // of V, A V and W at a time

/// A panel's reflector I − V T Vᵀ and the two-sided update made of it. The m × width matrices V, A V and W are kept transposed: column i
/// of `left` holds row i of V above row i of A V, later of W; column i of `right` row i of W above row i of V.
struct Panel {
  Matrix left, right, t;
  Panel(Index n, Index width) : left(2 * width, n), right(2 * width, n), t(width, width) {}
};

/// QR of the m × width block at `block`: R stays in its upper trapezoid; V (unit lower trapezoidal) goes to panel.left and the
/// triangular factor to panel.t, both filled up with zeros where m < width.
void factor_panel(double* block, int m, int width, int lda, Panel& panel) {
  const int count = std::min(m, width);
  panel.t.setZero();
  LAPACKE_dgeqrt3_work(LAPACK_COL_MAJOR, m, count, block, lda, panel.t.data(), width);
  if (width > count) {
    Matrix work(width, width);
    LAPACKE_dlarfb_work(LAPACK_COL_MAJOR, 'L', 'T', 'F', 'C', m, width - count, count, block, lda,
                        panel.t.data(), width, block + static_cast<Index>(count) * lda, lda, work.data(),
                        width);
  }
  for (Index i = 0; i < m; ++i) {
    double* row = panel.left.data() + i * 2 * width;
    const Index filled = std::min<Index>(i, count);
    for (Index j = 0; j < filled; ++j) row[j] = block[i + j * lda];
    std::fill(row + filled, row + width, 0.0);
    if (i < count) row[i] = 1;
  }
}

/// The reduction, panel after panel. While a panel's update goes on, one thread takes the columns of the next panel first and factors
/// them.
class BandReduction {
 public:
  BandReduction(Matrix& a, Index width, Matrix* factors)
      : a_(a),
        factors_(factors),
        n_(a.rows()),
        width_(width),
        now_(a.rows(), width),
        next_(a.rows(), width),
        products_(width * width, (a.rows() + chunk_rows - 1) / chunk_rows),
        combine_(width, 2 * width),
        sums_(panel_product_workspace(a.rows(), width)) {}

  Band run() {
    Band band(n_, width_);
    if (n_ > width_) factor(0, now_);
    for (Index begin = 0; begin < n_; begin += width_) {
      copy_to(band, begin);
      const Index below = begin + width_;
      if (below >= n_) continue;
      if (factors_) factors_->middleCols(begin, width_) = now_.t;
      double* trailing = &a_(below, below);
      const Index m = n_ - below;
      panel_product(trailing, n_, m, v(), v() + width_, 2 * width_, width_, sums_.data(), team_);
      form_w(m);
      update(trailing, m, below);
      std::swap(now_, next_);
    }
    return band;
  }

 private:
  double* v() { return now_.left.data(); }

  void factor(Index begin, Panel& panel) {
    factor_panel(&a_(begin + width_, begin), static_cast<int>(n_ - begin - width_), static_cast<int>(width_),
                 static_cast<int>(n_), panel);
  }

  /// W = A V T − ½ V M with M = Tᵀ (VᵀAV) T, beside V on both sides.
  void form_w(Index m) {
    const int w = static_cast<int>(width_), ld = 2 * w;
    const Index chunks = (m + chunk_rows - 1) / chunk_rows;
    const auto rows_of = [&](Index chunk) {
      return static_cast<int>(std::min(chunk_rows, m - chunk * chunk_rows));
    };
    team_.run(chunks, [&](Index chunk) {
      const double* rows = v() + chunk * chunk_rows * ld;
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, w, w, rows_of(chunk), 1, rows, ld, rows + w, ld, 0,
                  products_.col(chunk).data(), w);
    });
    Vector sum = products_.leftCols(chunks).rowwise().sum();
    for (const auto& [side, transpose] :
         {std::pair(CblasLeft, CblasTrans), std::pair(CblasRight, CblasNoTrans)})
      cblas_dtrmm(CblasColMajor, side, CblasUpper, transpose, CblasNonUnit, w, w, 1, now_.t.data(), w,
                  sum.data(), w);
    combine_ << -0.5 * Eigen::Map<const Matrix>(sum.data(), w, w).transpose(), now_.t.transpose();
    team_.run(chunks, [&](Index chunk) {
      const Index first = chunk * chunk_rows, rows = rows_of(chunk);
      double *left = v() + first * ld, *right = now_.right.data() + first * ld;
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, w, static_cast<int>(rows), ld, 1,
                  combine_.data(), w, left, ld, 0, right, ld);
      for (Index i = 0; i < rows; ++i) {
        std::copy_n(right + i * ld, w, left + i * ld + w);
        std::copy_n(left + i * ld, w, right + i * ld + w);
      }
    });
  }

  /// A ← (I − V T Vᵀ)ᵀ A (I − V T Vᵀ) = A − V Wᵀ − W Vᵀ = A − (V W)(W V)ᵀ, first in the next panel's columns, which are factored then, and
  /// beside that tile by tile.
  void update(double* a, Index m, Index below) {
    const Index strip = std::clamp<Index>(m / 96 * 8, 48, 256), tall = std::max<Index>(512, m / 64 * 8);
    tiles_.assign(1, {0, 0, m, std::min(width_, m)});
    for (Index column = width_; column < m; column += strip)
      for (Index row = column; row < m; row += tall)
        tiles_.push_back({row, column, std::min(tall, m - row), std::min(strip, m - column)});
    team_.run(static_cast<Index>(tiles_.size()), [&](Index t) {
      const Tile& tile = tiles_[static_cast<std::size_t>(t)];
      const int ld = static_cast<int>(2 * width_);
      cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, static_cast<int>(tile.rows),
                  static_cast<int>(tile.columns), ld, -1, v() + tile.row * ld, ld,
                  now_.right.data() + tile.column * ld, ld, 1, a + tile.row + tile.column * n_,
                  static_cast<int>(n_));
      if (t == 0 && below + width_ < n_) factor(below, next_);
    });
  }

  void copy_to(Band& band, Index begin) const {
    for (Index j = begin; j < std::min(begin + width_, n_); ++j)
      for (Index i = j; i < std::min(j + width_ + 1, n_); ++i) {
        *band.at(i, j) = a_(i, j);
        if (i - j < width_) *band.at(j, i) = a_(i, j);
      }
  }

  struct Tile {
    Index row, column, rows, columns;
  };

  Matrix& a_;
  Matrix* factors_;
  Index n_, width_;
  std::vector<Tile> tiles_;
  Panel now_, next_;
  Matrix products_;  // VᵀAV of every chunk, one in a column
  Matrix combine_;   // (−½ Mᵀ, Tᵀ)
  Vector sums_;
  Team team_;
};

}  // namespace

Band reduce_to_band(Matrix& a, Index width, Matrix* factors) {
  if (factors) factors->setZero(width, a.rows());
  return BandReduction(a, width, factors).run();
}

}  // namespace gnomon
