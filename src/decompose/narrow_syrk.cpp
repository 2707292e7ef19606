#include <cstring>

#include "fold_panels.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon::detail {

#if GNOMON_INSTRUCTIONS == 4
namespace {

using Wide = double __attribute__((vector_size(64)));

/// `groups` tiles of rows by one tile of columns, all in registers.
template <int groups>
[[gnu::always_inline]] inline void update(Index rows, const double* a, Index tile_stride, const double* b,
                                          double* c) {
  Wide sum[groups][8];
  std::memcpy(sum, c, sizeof sum);
  for (Index k = 0; k < rows; ++k) {
    Wide left[groups];
    for (int g = 0; g < groups; ++g) std::memcpy(&left[g], a + g * tile_stride + k * tile, sizeof left[g]);
    for (int j = 0; j < 8; ++j)
      for (int g = 0; g < groups; ++g) sum[g][j] += left[g] * b[k * tile + j];
  }
  std::memcpy(c, sum, sizeof sum);
}

}  // namespace

GNOMON_WIDE void narrow_syrk(Index rows, Index tiles, const double* values, Index tile_stride, double* c) {
  for (Index j = 0; j < tiles; ++j) {
    const double* b = values + j * tile_stride;
    double* column = c + 64 * (j * (j + 1) / 2);
    Index i = 0;
    for (; i + 3 <= j + 1; i += 3) update<3>(rows, values + i * tile_stride, tile_stride, b, column + 64 * i);
    if (j + 1 - i == 2) update<2>(rows, values + i * tile_stride, tile_stride, b, column + 64 * i);
    if (j + 1 - i == 1) update<1>(rows, values + i * tile_stride, tile_stride, b, column + 64 * i);
  }
}
#else
void narrow_syrk(Index, Index, const double*, Index, double*) {}
#endif

}  // namespace gnomon::detail
