#include "fold_panels.hpp"

#include <cblas.h>

#include <algorithm>

#include "gnomon/core/parallel.hpp"

namespace gnomon::detail {
namespace {

/// Widths up to this keep a panel of all folds in the second-level cache.
constexpr Index narrow_width = 256;

/// Partial sums of a run of panels: tiles for the narrow kernel, full matrices for BLAS.
struct PartialMoments {
  std::vector<std::vector<double>> tiles;
  std::vector<Matrix> full;
  std::vector<Index> rows;
};

void add_panel(const FoldPanel& panel, std::size_t fold, Matrix& sum) {
  if (panel.count(fold) == 0) return;
  const int width = static_cast<int>(sum.rows());
  cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, width, static_cast<int>(panel.count(fold)), 1,
              panel.row(panel.begin(fold)), static_cast<int>(panel.stride()), 1, sum.data(), width);
}

void add_tiles(const std::vector<double>& tiles, Matrix& sum) {
  for (Index c = 0; c < sum.cols(); ++c) {
    const Index j = c / tile;
    const double* column = tiles.data() + 64 * (j * (j + 1) / 2) + tile * (c % tile);
    for (Index r = 0; r <= c; ++r) sum(r, c) += column[64 * (r / tile) + r % tile];
  }
}

/// A fixed number of partial sums, one run of panels each, added in order.
void narrow_moments(const RowBlock& block, std::vector<Matrix>& moments, std::vector<Index>& rows) {
  constexpr Index parts_wanted = 16, panel_doubles = Index{1} << 17;
  const std::size_t folds = moments.size();
  const Index width = block.width(), tiles = (width + tile - 1) / tile;
  const Index fold_rows =
      std::clamp<Index>(panel_doubles / (tiles * tile * static_cast<Index>(folds)), 64, 512);
  const Index panel_rows = fold_rows * static_cast<Index>(std::min<std::size_t>(folds, 64));
  const Index panels = (block.rows + panel_rows - 1) / panel_rows, parts = std::min(parts_wanted, panels);
  const bool tiled = has_wide_vectors();
  std::vector<PartialMoments> partial(static_cast<std::size_t>(parts));
  parallel_for(parts, [&](Index part) {
    PartialMoments& sums = partial[static_cast<std::size_t>(part)];
    sums.rows.assign(folds, 0);
    if (tiled)
      sums.tiles.assign(folds,
                        std::vector<double>(static_cast<std::size_t>(64 * (tiles * (tiles + 1) / 2)), 0.0));
    else
      sums.full.assign(folds, Matrix::Zero(width, width));
    FoldPanel panel(block, std::min(panel_rows, block.rows), folds, tiled);
    for (Index k = panels * part / parts; k < panels * (part + 1) / parts; ++k) {
      panel.load(k * panel_rows, std::min(block.rows, (k + 1) * panel_rows));
      for (std::size_t f = 0; f < folds; ++f) {
        if (tiled)
          narrow_syrk(panel.count(f), tiles, panel.row(panel.begin(f)), panel.stride(), sums.tiles[f].data());
        else
          add_panel(panel, f, sums.full[f]);
        sums.rows[f] += panel.count(f);
      }
    }
  });
  for (const PartialMoments& sums : partial)
    for (std::size_t f = 0; f < folds; ++f) {
      if (tiled)
        add_tiles(sums.tiles[f], moments[f]);
      else
        moments[f] += sums.full[f];
      rows[f] += sums.rows[f];
    }
}

/// Panels in turn; the folds of a panel in parallel.
void wide_moments(const RowBlock& block, std::vector<Matrix>& moments, std::vector<Index>& rows) {
  const std::size_t folds = moments.size();
  const Index panel_rows =
      std::min<Index>(block.rows, 256 * static_cast<Index>(std::min<std::size_t>(folds, 16)));
  FoldPanel panel(block, panel_rows, folds, false);
  for (Index from = 0; from < block.rows; from += panel_rows) {
    panel.load(from, std::min(block.rows, from + panel_rows));
    parallel_for(static_cast<Index>(folds), [&](Index f) {
      add_panel(panel, static_cast<std::size_t>(f), moments[static_cast<std::size_t>(f)]);
    });
    for (std::size_t f = 0; f < folds; ++f) rows[f] += panel.count(f);
  }
}

}  // namespace

void add_fold_moments(const RowBlock& block, std::vector<Matrix>& moments, std::vector<Index>& rows) {
  const BlasThreads one(1);
  if (block.width() <= narrow_width)
    narrow_moments(block, moments, rows);
  else
    wide_moments(block, moments, rows);
}

}  // namespace gnomon::detail
