#include "symmetric_product.hpp"

#include <cblas.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "gnomon/core/parallel.hpp"

namespace gnomon::detail {
namespace {

#if GNOMON_INSTRUCTIONS == 4
using Wide = double __attribute__((vector_size(64)));

constexpr Index block_columns = 64, block_rows = 256, most_columns = 10;

/// One group of C columns: `by_row` has the C entries of a row together, `by_eight` eight rows of each column
/// in turn (row i of column c at 8·(C·(i/8) + c) + i mod 8), and `sum` (n × C) one part's result.
struct Group {
  Index n, stride;
  const double *a, *by_eight, *by_row;
  double* sum;
};

/// sum[rows] += A[rows, columns] in[columns]: 8·U rows at a time in registers, A read as vectors down its
/// columns.
template <int C, int U>
[[gnu::always_inline]] inline void add_rows(const Group& g, const double* a, Index stride, Index from,
                                            Index rows, Index column, Index columns) {
  for (Index i = 0; i < rows; i += 8 * U) {
    Wide total[U][C] = {};
    const double* in = g.by_row + column * C;
    for (Index j = 0; j < columns; ++j, in += C) {
      Wide left[U];
      std::memcpy(left, a + j * stride + i, sizeof left);
#pragma GCC unroll 10
      for (int c = 0; c < C; ++c)
#pragma GCC unroll 4
        for (int u = 0; u < U; ++u) total[u][c] += left[u] * in[c];
    }
#pragma GCC unroll 10
    for (int c = 0; c < C; ++c) {
      double* to = g.sum + c * g.n + from + i;
      Wide old[U];
      std::memcpy(old, to, sizeof old);
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) old[u] += total[u][c];
      std::memcpy(to, old, sizeof old);
    }
  }
}

/// partial[j][c] += A[rows, j]ᵀ in[rows], kept as vectors of eight partial sums; two columns of A at a time.
template <int C>
[[gnu::always_inline]] inline void add_columns(const Group& g, Index from, Index rows, Index column,
                                               Index columns, Wide* partial) {
  for (Index j = 0; j < columns; j += 2) {
    Wide total[2][C];
    std::memcpy(total, partial + j * C, sizeof total);
    const double* in = g.by_eight + from * C;
    const double *first = g.a + (column + j) * g.stride + from, *second = first + g.stride;
    for (Index i = 0; i < rows; i += 8, in += 8 * C) {
      __builtin_prefetch(first + 4 * g.stride + i);
      __builtin_prefetch(second + 4 * g.stride + i);
      Wide left[2];
      std::memcpy(&left[0], first + i, sizeof(Wide));
      std::memcpy(&left[1], second + i, sizeof(Wide));
#pragma GCC unroll 10
      for (int c = 0; c < C; ++c) {
        Wide right;
        std::memcpy(&right, in + 8 * c, sizeof right);
        total[0][c] += left[0] * right;
        total[1][c] += left[1] * right;
      }
    }
    std::memcpy(partial + j * C, total, sizeof total);
  }
}

/// One block of columns of the lower triangle, down to row `end` (a multiple of 8).
template <int C>
GNOMON_WIDE void column_block(const Group& g, Index column, Index columns, Index end) {
  constexpr int U = C > 7 ? 2 : C > 5 ? 3 : 4;
  double diagonal[block_columns * block_columns];
  for (Index j = 0; j < columns; ++j)
    for (Index i = j; i < columns; ++i)
      diagonal[j * block_columns + i] = diagonal[i * block_columns + j] =
          g.a[(column + j) * g.stride + column + i];
  add_rows<C, 1>(g, diagonal, block_columns, column, columns, column, columns);
  Wide partial[block_columns * C] = {};
  for (Index from = column + columns; from < end; from += block_rows) {
    const Index rows = std::min(block_rows, end - from), grouped = rows / (8 * U) * (8 * U);
    const double* a = g.a + column * g.stride + from;
    add_columns<C>(g, from, rows, column, columns, partial);  // first: it reads memory in order
    add_rows<C, U>(g, a, g.stride, from, grouped, column, columns);
    add_rows<C, 1>(g, a + grouped, g.stride, from + grouped, rows - grouped, column, columns);
  }
  for (Index j = 0; j < columns; ++j)
    for (int c = 0; c < C; ++c) {
      double sum = 0;
      for (int k = 0; k < 8; ++k) sum += partial[j * C + c][k];
      g.sum[c * g.n + column + j] += sum;
    }
}

using ColumnBlock = void (*)(const Group&, Index, Index, Index);
constexpr ColumnBlock kernels[most_columns] = {
    column_block<1>, column_block<2>, column_block<3>, column_block<4>, column_block<5>,
    column_block<6>, column_block<7>, column_block<8>, column_block<9>, column_block<10>};

void group_product(Index n, const double* a, Index stride, Index columns, const double* in, double* out) {
  constexpr Index most_parts = 8;
  const Index end = n / 8 * 8, blocks = (end + block_columns - 1) / block_columns;
  const Index parts = std::clamp<Index>(blocks, 1, most_parts);
  std::vector<double> by_row(static_cast<std::size_t>(n * columns)), eights(by_row.size() + 8);
  void* aligned = eights.data();
  std::size_t space = eights.size() * sizeof(double);
  double* by_eight = static_cast<double*>(std::align(64, by_row.size() * sizeof(double), aligned, space));
  for (Index c = 0; c < columns; ++c)
    for (Index i = 0; i < end; ++i) {
      by_row[static_cast<std::size_t>(i * columns + c)] = in[c * n + i];
      by_eight[8 * (columns * (i / 8) + c) + i % 8] = in[c * n + i];
    }
  Matrix sums = Matrix::Zero(n * columns, parts);
  parallel_for(parts, [&](Index part) {
    const Group g{n, stride, a, by_eight, by_row.data(), sums.col(part).data()};
    for (Index b = part; b < blocks; b += parts) {
      const Index column = b * block_columns;
      kernels[columns - 1](g, column, std::min(block_columns, end - column), end);
    }
  });
  std::copy_n(sums.data(), n * columns, out);
  for (Index part = 1; part < parts; ++part)
    cblas_daxpy(static_cast<int>(n * columns), 1, sums.col(part).data(), 1, out, 1);
  for (Index r = end; r < n; ++r)
    for (Index j = 0; j <= r; ++j)
      for (Index c = 0; c < columns; ++c) {
        out[c * n + r] += a[j * stride + r] * in[c * n + j];
        if (j < r) out[c * n + j] += a[j * stride + r] * in[c * n + r];
      }
}
#else
constexpr Index most_columns = 10;
void group_product(Index, const double*, Index, Index, const double*, double*) {}
#endif

}  // namespace

void symmetric_product(Index n, const double* a, Index stride, Index columns, const double* in, double* out) {
  constexpr Index few = 3 * most_columns;
  if (columns > few || !has_wide_vectors()) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(n), static_cast<int>(columns),
                static_cast<int>(n), 1, a, static_cast<int>(stride), in, static_cast<int>(n), 0, out,
                static_cast<int>(n));
    return;
  }
  for (Index c = 0; c < columns; c += most_columns)
    group_product(n, a, stride, std::min(most_columns, columns - c), in + c * n, out + c * n);
}

}  // namespace gnomon::detail
