#include "panel_product.hpp"

#include <cblas.h>

#include <algorithm>

#include "gnomon/core/parallel.hpp"
#include "lanes.hpp"

namespace gnomon {
namespace {

#if GNOMON_INSTRUCTIONS == 4
constexpr Index kTileColumns =
    48;  // of a tile of A; rows and columns divide by every number of outputs used below
constexpr Index kTileRows = 96;

/// out_o += Σ_k c(o, k) v_k for `Outputs` vectors of 8·Groups entries; c(o, k) = c[o·output_step +
/// k·inner_step], and consecutive v_k and out_o are `ld` apart. Meanwhile ahead[k·ahead_step] is brought into
/// cache.
template <int Groups, int Outputs>
GNOMON_INLINE void accumulate(double* out, const double* c, Index output_step, Index inner_step,
                              const double* v, Index ld, Index count, const double* ahead, Index ahead_step) {
  Lanes sum[Outputs][Groups];
#pragma GCC unroll 24
  for (int o = 0; o < Outputs; ++o)
#pragma GCC unroll 24
    for (int g = 0; g < Groups; ++g) sum[o][g] = lanes_at(out + o * ld + g * kLanes).value;
  for (Index k = 0; k < count; ++k) {
    Lanes x[Groups];
    __builtin_prefetch(ahead + k * ahead_step);
#pragma GCC unroll 24
    for (int g = 0; g < Groups; ++g) x[g] = lanes_at(v + k * ld + g * kLanes).value;
#pragma GCC unroll 24
    for (int o = 0; o < Outputs; ++o) {
      const double factor = c[o * output_step + k * inner_step];
#pragma GCC unroll 24
      for (int g = 0; g < Groups; ++g) sum[o][g] += factor * x[g];
    }
  }
#pragma GCC unroll 24
  for (int o = 0; o < Outputs; ++o)
#pragma GCC unroll 24
    for (int g = 0; g < Groups; ++g) lanes_at(out + o * ld + g * kLanes).value = sum[o][g];
}

/// The same for any number of outputs.
template <int Groups, int Outputs>
GNOMON_INLINE void accumulate_all(double* out, Index outputs, const double* c, Index output_step,
                                  Index inner_step, const double* v, Index ld, Index count,
                                  const double* ahead, Index ahead_step) {
  Index o = 0;
  for (; o + Outputs <= outputs; o += Outputs)
    accumulate<Groups, Outputs>(out + o * ld, c + o * output_step, output_step, inner_step, v, ld, count,
                                ahead + o, ahead_step);
  for (; o < outputs; ++o)
    accumulate<Groups, 1>(out + o * ld, c + o * output_step, output_step, inner_step, v, ld, count, ahead + o,
                          ahead_step);
}

template <int Groups, int Outputs>
GNOMON_INLINE void multiply(const double* a, Index lda, Index m, const double* vt, double* yt, Index ld) {
  double diagonal[kTileColumns * kTileColumns];
  for (Index j = 0; j < m; j += kTileColumns) {
    const Index columns = std::min(kTileColumns, m - j);
    const double* corner = a + j + j * lda;
    for (Index q = 0; q < columns; ++q)
      for (Index p = q; p < columns; ++p)
        diagonal[p + q * kTileColumns] = diagonal[q + p * kTileColumns] = corner[p + q * lda];
    accumulate_all<Groups, Outputs>(yt + j * ld, columns, diagonal, 1, kTileColumns, vt + j * ld, ld, columns,
                                    diagonal, 0);
    for (Index i = j + kTileColumns; i < m; i += kTileRows) {
      const Index rows = std::min(kTileRows, m - i);
      const double* tile = a + i + j * lda;
      const double* next =
          i + kTileRows < m ? tile + kTileRows : a + (j + kTileColumns) + (j + kTileColumns) * lda;
      accumulate_all<Groups, Outputs>(yt + i * ld, rows, tile, 1, lda, vt + j * ld, ld, columns, next, lda);
      accumulate_all<Groups, Outputs>(yt + j * ld, columns, tile, lda, 1, vt + i * ld, ld, rows, tile, 0);
    }
  }
}

GNOMON_WIDE void multiply_in_tiles(const double* a, Index lda, Index m, const double* vt, double* yt,
                                   Index ld, Index width) {
  switch (width) {
    case 16:
      return multiply<2, 12>(a, lda, m, vt, yt, ld);
    case 24:
      return multiply<3, 8>(a, lda, m, vt, yt, ld);
    case 32:
      return multiply<4, 6>(a, lda, m, vt, yt, ld);
    case 48:
      return multiply<6, 4>(a, lda, m, vt, yt, ld);
    case 64:
      multiply<4, 6>(a, lda, m, vt, yt, ld);
      return multiply<4, 6>(a, lda, m, vt + 32, yt + 32, ld);
  }
}
#else
void multiply_in_tiles(const double*, Index, Index, const double*, double*, Index, Index) {}
#endif

}  // namespace

void panel_product(const double* a, Index lda, Index m, const double* vt, double* yt, Index ld, Index width) {
  if (has_wide_vectors()) {
    for (Index i = 0; i < m; ++i) std::fill_n(yt + i * ld, width, 0.0);
    multiply_in_tiles(a, lda, m, vt, yt, ld, width);
  } else {
    cblas_dsymm(CblasColMajor, CblasRight, CblasLower, static_cast<int>(width), static_cast<int>(m), 1.0, a,
                static_cast<int>(lda), vt, static_cast<int>(ld), 0.0, yt, static_cast<int>(ld));
  }
}

}  // namespace gnomon
