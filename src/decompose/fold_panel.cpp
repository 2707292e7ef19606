#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "fold_panels.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon::detail {
namespace {

using Wide = double __attribute__((vector_size(64)));

/// Writes root[i]·(column_c[i] − centre_c), c = 0…7, to out + 8·position[i]: 8×8 transposes, so that the
/// columns are read in order whatever the order of the rows written.
GNOMON_HOT void pack_tile(Index count, const double* const* columns, const double* centre, const double* root,
                          const std::int32_t* position, double* out) {
  Wide shift;
  std::memcpy(&shift, centre, sizeof shift);
  Index i = 0;
  for (; i + tile <= count; i += tile) {
    Wide r[8], s[8];
    for (int c = 0; c < 8; ++c) std::memcpy(&r[c], columns[c] + i, sizeof r[c]);
    for (int c = 0; c < 8; c += 2) {
      s[c] = __builtin_shufflevector(r[c], r[c + 1], 0, 8, 2, 10, 4, 12, 6, 14);
      s[c + 1] = __builtin_shufflevector(r[c], r[c + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int c = 0; c < 8; c += 4)
      for (int k = 0; k < 2; ++k) {
        r[c + k] = __builtin_shufflevector(s[c + k], s[c + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        r[c + k + 2] = __builtin_shufflevector(s[c + k], s[c + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
      }
    for (int k = 0; k < 4; ++k) {
      s[k] = __builtin_shufflevector(r[k], r[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
      s[k + 4] = __builtin_shufflevector(r[k], r[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    for (int k = 0; k < 8; ++k) {
      const Wide value = (s[k] - shift) * root[i + k];
      std::memcpy(out + Index{position[i + k]} * tile, &value, sizeof value);
    }
  }
  for (; i < count; ++i)
    for (int c = 0; c < 8; ++c) out[Index{position[i]} * tile + c] = (columns[c][i] - centre[c]) * root[i];
}

/// The same for one column, root null = ones. `next` is read soon after: short pieces of columns far apart
/// defeat the hardware's own prefetching.
void pack_column(Index count, const double* column, double centre, const double* root,
                 const std::int32_t* position, double* out, const double* next) {
  for (Index i = 0; i < count; i += 8) {
    __builtin_prefetch(next + i);
    const Index end = std::min<Index>(i + 8, count);
    if (root)
      for (Index k = i; k < end; ++k) out[position[k]] = (column[k] - centre) * root[k];
    else
      for (Index k = i; k < end; ++k) out[position[k]] = column[k] - centre;
  }
}

}  // namespace

FoldPanel::FoldPanel(const RowBlock& block, Index capacity, std::size_t folds, bool tiled)
    : block_(block),
      capacity_(capacity),
      tiles_((block.width() + tile - 1) / tile),
      stride_((capacity + 1) * (tiled ? tile : 1)),
      tiled_(tiled),
      begin_(folds + 1),
      position_(static_cast<std::size_t>(capacity)),
      root_(static_cast<std::size_t>(capacity)),
      ones_(static_cast<std::size_t>(capacity), 1.0),
      storage_(static_cast<std::size_t>((capacity + 1) * tiles_ * tile + tile)) {
  // One spare row takes the rows of zero weight; tiles start on cache lines.
  const auto misaligned = reinterpret_cast<std::uintptr_t>(storage_.data()) % (tile * sizeof(double));
  values_ = storage_.data() + (misaligned ? tile - static_cast<Index>(misaligned / sizeof(double)) : 0);
}

void FoldPanel::sort(Index from, Index to) {
  const RowBlock& b = block_;
  std::fill(begin_.begin(), begin_.end(), 0);
  for (Index i = from; i < to; ++i)
    if (!b.weight || b.weight[i] > 0) ++begin_[static_cast<std::size_t>(b.fold[i]) + 1];
  for (std::size_t f = 1; f < begin_.size(); ++f) begin_[f] += begin_[f - 1];
  std::vector<Index> next(begin_.begin(), begin_.end() - 1);
  for (Index i = from; i < to; ++i) {
    const std::size_t at = static_cast<std::size_t>(i - from);
    const bool counts = !b.weight || b.weight[i] > 0;
    position_[at] =
        static_cast<std::int32_t>(counts ? next[static_cast<std::size_t>(b.fold[i])]++ : capacity_);
    root_[at] = b.weight ? std::sqrt(b.weight[i]) : 1;
  }
}

void FoldPanel::load(Index from, Index to) {
  sort(from, to);
  const RowBlock& b = block_;
  const Index ones = b.inputs + b.targets;
  const RowBlocks::View x =
      b.source ? b.source->view(from, to - from, room_) : RowBlocks::View{b.x, b.x_stride};
  const Index at = b.source ? 0 : from;
  // Padding is the column of ones about the centre 1.
  const auto column = [&](Index j) {
    return j < b.inputs ? x.data + j * x.stride + at
           : j < ones   ? b.y + (j - b.inputs) * b.y_stride + from
                        : ones_.data();
  };
  const auto centre = [&](Index j) { return j < ones ? b.centre[j] : j == ones ? 0.0 : 1.0; };
  if (!tiled_) {
    for (Index j = 0; j <= ones; ++j)
      pack_column(to - from, column(j), centre(j), b.weight ? root_.data() : nullptr, position_.data(),
                  values_ + j * stride_, column(std::min(j + 1, ones)));
    return;
  }
  for (Index t = 0; t < tiles_; ++t) {
    const double* columns[tile];
    double centres[tile];
    for (Index c = 0; c < tile; ++c) {
      columns[c] = column(t * tile + c);
      centres[c] = centre(t * tile + c);
    }
    pack_tile(to - from, columns, centres, root_.data(), position_.data(), values_ + t * stride_);
  }
}

}  // namespace gnomon::detail
