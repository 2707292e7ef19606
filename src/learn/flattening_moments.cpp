#include "flattening_moments.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "decompose/fold_panels.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/data/weights.hpp"
#include "gnomon/represent/kernels/exponential.hpp"

namespace gnomon {
namespace {

using detail::tile;

/// out = w^l from log w; 0 where w = 0 (log w = −∞) and l > 0.
GNOMON_HOT void powers(Index count, double exponent, const double* log_weight, double* out) {
  for (Index i = 0; i < count; ++i) out[i] = exponential(exponent * log_weight[i]);
}

#if GNOMON_INSTRUCTIONS == 4
using Wide = double __attribute__((vector_size(64)));

/// `groups` tiles of rows by one tile of columns, all in registers.
template <int groups>
[[gnu::always_inline]] inline void update(Index rows, const double* a, Index tile_stride, const double* b,
                                          const double* weight, double* c) {
  Wide sum[groups][8];
  std::memcpy(sum, c, sizeof sum);
  for (Index k = 0; k < rows; ++k) {
    Wide left[groups];
    for (int g = 0; g < groups; ++g) {
      std::memcpy(&left[g], a + g * tile_stride + k * tile, sizeof left[g]);
      left[g] *= weight[k];
    }
    for (int j = 0; j < 8; ++j)
      for (int g = 0; g < groups; ++g) sum[g][j] += left[g] * b[k * tile + j];
  }
  std::memcpy(c, sum, sizeof sum);
}

/// C += Vᵀ diag(w) V for rows of a tiled panel; storage of C as for narrow_syrk.
GNOMON_WIDE void weighted_syrk(Index rows, Index tiles, const double* values, Index tile_stride,
                               const double* weight, double* c) {
  for (Index j = 0; j < tiles; ++j) {
    const double* b = values + j * tile_stride;
    double* column = c + 64 * (j * (j + 1) / 2);
    Index i = 0;
    for (; i + 3 <= j + 1; i += 3)
      update<3>(rows, values + i * tile_stride, tile_stride, b, weight, column + 64 * i);
    if (j + 1 - i == 2) update<2>(rows, values + i * tile_stride, tile_stride, b, weight, column + 64 * i);
    if (j + 1 - i == 1) update<1>(rows, values + i * tile_stride, tile_stride, b, weight, column + 64 * i);
  }
}
#else
void weighted_syrk(Index, Index, const double*, Index, const double*, double*) {}
#endif

Index tiles_of(Index width) { return (width + tile - 1) / tile; }
Index tiled_size(Index width) { return 64 * (tiles_of(width) * (tiles_of(width) + 1) / 2); }

/// Upper triangle of one tiled sum.
void add_tiles(const double* tiles, Matrix& sum) {
  for (Index c = 0; c < sum.cols(); ++c) {
    const Index j = c / tile;
    const double* column = tiles + 64 * (j * (j + 1) / 2) + tile * (c % tile);
    for (Index r = 0; r <= c; ++r) sum(r, c) += column[64 * (r / tile) + r % tile];
  }
}

/// Sums of all exponents and folds over a range of rows, sum (e, f) at (e·folds + f)·tiled_size.
std::vector<double> partial_sums(const detail::RowBlock& block, Index first, Index last, Index panel_rows,
                                 const Vector& log_weight, std::span<const double> exponents,
                                 std::size_t folds) {
  const Index tiles = tiles_of(block.width()), size = tiled_size(block.width());
  std::vector<double> sums(exponents.size() * folds * static_cast<std::size_t>(size), 0.0);
  detail::FoldPanel panel(block, panel_rows, folds, true);
  std::vector<Index> next(folds);
  Vector logs(panel_rows), weight(panel_rows);
  for (Index from = first; from < last; from += panel_rows) {
    const Index to = std::min(last, from + panel_rows);
    panel.load(from, to);
    for (std::size_t f = 0; f < folds; ++f) next[f] = panel.begin(f);
    for (Index i = from; i < to; ++i) logs[next[static_cast<std::size_t>(block.fold[i])]++] = log_weight[i];
    double* sum = sums.data();
    for (const double exponent : exponents) {
      if (exponent == 0)
        weight.setOnes();
      else
        powers(to - from, exponent, logs.data(), weight.data());
      for (std::size_t f = 0; f < folds; ++f, sum += size)
        weighted_syrk(panel.count(f), tiles, panel.row(panel.begin(f)), panel.stride(),
                      weight.data() + panel.begin(f), sum);
    }
  }
  return sums;
}

}  // namespace

std::vector<GramStatistics> flattening_moments(const MatrixView& features, const MatrixView& y,
                                               const VectorView& importance,
                                               std::span<const double> exponents,
                                               std::span<const int> fold_of_row, int folds) {
  constexpr Index narrow_width = 64, most_sums = Index{1} << 20, parts_wanted = 8, panel_doubles = 1 << 16;
  constexpr double largest_log = 700;
  const Index n = features.rows(), width = features.cols() + y.cols() + 1;
  const auto count = static_cast<std::size_t>(folds);
  check_weights(importance);
  const double steepest = exponents.empty() ? 0 : *std::max_element(exponents.begin(), exponents.end());
  const bool narrow = has_wide_vectors() && width <= narrow_width &&
                      tiled_size(width) * folds * static_cast<Index>(exponents.size()) <= most_sums &&
                      steepest * std::log(importance.maxCoeff()) < largest_log;
  std::vector<GramStatistics> out;
  if (!narrow) {
    for (const double exponent : exponents) {
      out.emplace_back(features.cols(), y.cols(), folds);
      out.back().add(features, y, flattened(importance, exponent), fold_of_row);
    }
    return out;
  }
  require(y.rows() == n && importance.size() == n && static_cast<Index>(fold_of_row.size()) == n,
          "{} targets, {} weights and {} folds for {} rows: give one each per row", y.rows(),
          importance.size(), fold_of_row.size(), n);
  std::vector<Index> rows(count, 0), positive(count, 0);
  Vector log_weight(n);
  for (Index i = 0; i < n; ++i) {
    const int fold = fold_of_row[static_cast<std::size_t>(i)];
    require(fold >= 0 && fold < folds, "row {} is in fold {}, but folds are numbered 0 to {}", i, fold,
            folds - 1);
    ++rows[static_cast<std::size_t>(fold)];
    positive[static_cast<std::size_t>(fold)] += importance[i] > 0;
    log_weight[i] = std::log(importance[i]);
  }
  const Vector centre = GramStatistics::provisional_centre(features, y);
  const detail::RowBlock block{
      features.data(), features.outerStride(), features.cols(), y.data(), y.outerStride(), y.cols(), n,
      nullptr,         fold_of_row.data(),     centre.data()};
  const Index panel_rows =
      std::clamp<Index>(panel_doubles / (tiles_of(width) * tile * folds), 64, 512) * std::min(folds, 64);
  // A fixed number of partial sums, added in order: the number of threads never changes an answer.
  const Index panels = (n + panel_rows - 1) / panel_rows, parts = std::min(parts_wanted, panels);
  std::vector<std::vector<double>> partial(static_cast<std::size_t>(parts));
  parallel_for(parts, [&](Index part) {
    partial[static_cast<std::size_t>(part)] = partial_sums(
        block, panels * part / parts * panel_rows, std::min(n, panels * (part + 1) / parts * panel_rows),
        panel_rows, log_weight, exponents, count);
  });
  for (std::size_t e = 0; e < exponents.size(); ++e) {
    std::vector<Matrix> moments(count, Matrix::Zero(width, width));
    for (const auto& sums : partial)
      for (std::size_t f = 0; f < count; ++f)
        add_tiles(sums.data() + (e * count + f) * static_cast<std::size_t>(tiled_size(width)), moments[f]);
    out.push_back(GramStatistics::from_moments(features.cols(), centre, std::move(moments),
                                               exponents[e] == 0 ? rows : positive));
  }
  return out;
}

}  // namespace gnomon
