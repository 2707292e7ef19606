#pragma once

#include <cstdint>
#include <vector>

#include "data/row_blocks.hpp"

namespace gnomon::detail {

/// Rows [x | y] in column-major storage with their weights (null = ones), folds and the provisional centre of
/// [x | y]. Where there is a `source`, it makes the rows of x.
struct RowBlock {
  const double* x;
  Index x_stride, inputs;
  const double* y;
  Index y_stride, targets, rows;
  const double* weight;
  const int* fold;
  const double* centre;
  const RowBlocks* source = nullptr;

  Index width() const { return inputs + targets + 1; }
};

/// Columns per tile: one row of a tile is one wide vector.
constexpr Index tile = 8;

/// A run of rows √w [x−c | y−c | 1] sorted by fold, so that each fold is a contiguous run of rows.
class FoldPanel {
 public:
  /// `tiled`: 8 columns side by side, padded with 0 to whole tiles, for the narrow kernel: row i of tile t
  /// starts at row(i) + t·stride(). Else column-major, for BLAS: entry (i, j) is at row(i) + j·stride().
  FoldPanel(const RowBlock& block, Index capacity, std::size_t folds, bool tiled);
  void load(Index from, Index to);

  Index begin(std::size_t fold) const { return begin_[fold]; }
  Index count(std::size_t fold) const { return begin_[fold + 1] - begin_[fold]; }
  const double* row(Index i) const { return values_ + (tiled_ ? tile * i : i); }
  Index stride() const { return stride_; }

 private:
  void sort(Index from, Index to);

  const RowBlock& block_;
  Index capacity_, tiles_, stride_;
  bool tiled_;
  std::vector<Index> begin_;
  std::vector<std::int32_t> position_;
  std::vector<double> root_, ones_, storage_;
  Matrix room_;  // rows of a source
  double* values_;
};

/// Adds Σ w v vᵀ, v = [x−c | y−c | 1], to the upper triangles of the folds' moments and counts rows of
/// positive weight. The order of the sums depends on the shapes alone, not on the number of threads.
void add_fold_moments(const RowBlock& block, std::vector<Matrix>& moments, std::vector<Index>& rows);

/// C += VᵀV for `rows` rows of a tiled panel, where has_wide_vectors(). C is kept as 8×8 tiles (I ≤ J), tile (I, J) at 64·(J(J+1)/2 +
/// I), columns of
/// 8. All products of a 24×8 block stay in registers: for widths of a few tiles this beats dsyrk, which
/// wastes half.
void narrow_syrk(Index rows, Index tiles, const double* values, Index tile_stride, double* c);

}  // namespace gnomon::detail
