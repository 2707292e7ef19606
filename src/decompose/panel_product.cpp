#include "panel_product.hpp"

#include <cblas.h>

#include <algorithm>

#include "core/lanes.hpp"
#include "core/team.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon {
namespace {

constexpr Index tile_columns =
    48;  // of a tile of A; rows and columns divide by every number of outputs used below

Index parts_of(Index m) { return std::clamp<Index>(m / 256, 1, 16); }

/// One part of the product: the strips of `tile_columns` columns of A's lower triangle whose number is `part` modulo `parts`. What they
/// add to Y goes to `sum`, row i at sum + i·width.
struct Strips {
  const double* a;
  Index lda, m;
  const double* vt;
  Index ld;
  double* sum;
  Index width, part, parts;
};

#if GNOMON_INSTRUCTIONS == 4

constexpr Index tile_rows = 96;

/// out_o += Σ_k c(o, k) v_k for `Outputs` vectors of `Groups` registers; c(o, k) = c[o·output_step + k·inner_step], consecutive v_k are
/// `ld` apart and consecutive out_o `width`. Meanwhile ahead[k·ahead_step] is brought into cache.
template <int Groups, int Outputs>
GNOMON_INLINE void accumulate(double* out, Index width, const double* c, Index output_step, Index inner_step,
                              const double* v, Index ld, Index count, const double* ahead, Index ahead_step) {
  Lanes sum[Outputs][Groups];
#pragma GCC unroll 24
  for (int o = 0; o < Outputs; ++o)
#pragma GCC unroll 24
    for (int g = 0; g < Groups; ++g) sum[o][g] = lanes_at(out + o * width + g * kLanes).value;
  for (Index k = 0; k < count; ++k) {
    __builtin_prefetch(ahead + k * ahead_step);
    Lanes x[Groups];
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
    for (int g = 0; g < Groups; ++g) lanes_at(out + o * width + g * kLanes).value = sum[o][g];
}

/// The same for any number of outputs.
template <int Groups, int Outputs>
GNOMON_INLINE void accumulate_all(double* out, Index width, Index outputs, const double* c, Index output_step,
                                  Index inner_step, const double* v, Index ld, Index count,
                                  const double* ahead, Index ahead_step) {
  Index o = 0;
  for (; o + Outputs <= outputs; o += Outputs)
    accumulate<Groups, Outputs>(out + o * width, width, c + o * output_step, output_step, inner_step, v, ld,
                                count, ahead + o, ahead_step);
  for (; o < outputs; ++o)
    accumulate<Groups, 1>(out + o * width, width, c + o * output_step, output_step, inner_step, v, ld, count,
                          ahead + o, ahead_step);
}

/// The columns of V from `first` on that `Groups` registers hold.
template <int Groups, int Outputs>
GNOMON_INLINE void multiply(const Strips& s, Index first) {
  double diagonal[tile_columns * tile_columns];
  const double* v = s.vt + first;
  double* y = s.sum + first;
  for (Index j = s.part * tile_columns; j < s.m; j += s.parts * tile_columns) {
    const Index columns = std::min(tile_columns, s.m - j), lda = s.lda, ld = s.ld, width = s.width;
    const double* corner = s.a + j + j * lda;
    for (Index q = 0; q < columns; ++q)
      for (Index p = q; p < columns; ++p)
        diagonal[p + q * tile_columns] = diagonal[q + p * tile_columns] = corner[p + q * lda];
    accumulate_all<Groups, Outputs>(y + j * width, width, columns, diagonal, 1, tile_columns, v + j * ld, ld,
                                    columns, diagonal, 0);
    for (Index i = j + tile_columns; i < s.m; i += tile_rows) {
      const Index rows = std::min(tile_rows, s.m - i);
      const double* tile = s.a + i + j * lda;
      const double* next = i + tile_rows < s.m ? tile + tile_rows : tile;
      accumulate_all<Groups, Outputs>(y + i * width, width, rows, tile, 1, lda, v + j * ld, ld, columns, next,
                                      lda);
      accumulate_all<Groups, Outputs>(y + j * width, width, columns, tile, lda, 1, v + i * ld, ld, rows, tile,
                                      0);
    }
  }
}

/// With 32 registers, 24 of them for sums. With 16 such tiles lose to the library (1.15 against 1.0 dgemm for the whole reduction at n = 2000).
GNOMON_WIDE void multiply_in_tiles(const Strips& s) {
  for (Index first = 0; first < s.width;)
    if (s.width - first == 24) {
      multiply<3, 8>(s, first);
      first += 24;
    } else if (s.width - first == 48) {
      multiply<6, 4>(s, first);
      first += 48;
    } else if (s.width - first == 16) {
      multiply<2, 12>(s, first);
      first += 16;
    } else {
      multiply<4, 6>(s, first);
      first += 32;
    }
}
#else
void multiply_in_tiles(const Strips&) {}
#endif

void multiply_by_library(const Strips& s) {
  constexpr Index strip = 4 * tile_columns;
  const int w = static_cast<int>(s.width), ld = static_cast<int>(s.ld), lda = static_cast<int>(s.lda);
  for (Index j = s.part * strip; j < s.m; j += s.parts * strip) {
    const int columns = static_cast<int>(std::min(strip, s.m - j)),
              below = static_cast<int>(s.m - j) - columns;
    const double *corner = s.a + j + j * s.lda, *v = s.vt + j * s.ld;
    double* y = s.sum + j * s.width;
    cblas_dsymm(CblasColMajor, CblasRight, CblasLower, w, columns, 1, corner, lda, v, ld, 1, y, w);
    if (below == 0) continue;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, w, below, columns, 1, v, ld, corner + columns, lda,
                1, y + columns * s.width, w);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, w, columns, below, 1, v + columns * s.ld, ld,
                corner + columns, lda, 1, y, w);
  }
}

}  // namespace

Index panel_product_workspace(Index m, Index width) { return parts_of(m) * m * width; }

void panel_product(const double* a, Index lda, Index m, const double* vt, double* yt, Index ld, Index width,
                   double* sums, Team& team) {
  const Index parts = parts_of(m), stride = m * width;
  team.run(parts, [&](Index part) {
    const Strips strips{a, lda, m, vt, ld, sums + part * stride, width, part, parts};
    std::fill_n(strips.sum, stride, 0.0);
    if (has_wide_vectors())
      multiply_in_tiles(strips);
    else
      multiply_by_library(strips);
  });
  constexpr Index rows = 256;
  team.run((m + rows - 1) / rows, [&](Index chunk) {
    for (Index i = chunk * rows; i < std::min(m, (chunk + 1) * rows); ++i) {
      double* y = yt + i * ld;
      std::copy_n(sums + i * width, width, y);
      for (Index part = 1; part < parts; ++part) {
        const double* sum = sums + part * stride + i * width;
        for (Index k = 0; k < width; ++k) y[k] += sum[k];
      }
    }
  });
}

}  // namespace gnomon
