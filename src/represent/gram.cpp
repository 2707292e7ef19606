// Entries are computed in tiles: first the squared distances (or inner products), then the kernel function in
// place, then the tile is written out, and for `gram` its transpose too. Rows are padded to whole vectors, so
// that every entry passes through the same vector instructions wherever it lies.
#include "gram.hpp"

#include <algorithm>
#include <functional>
#include <type_traits>
#include <vector>

#include "core/fresh_matrix.hpp"
#include "core/lanes.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon {
namespace {

constexpr Index kColumns = 4;  // columns that share one reading of a panel
constexpr Index kTile = 128;

/// The inputs in the two orders that the inner loops read, padded with rows of 0.
struct Packed {
  explicit Packed(MatrixView x) : rows(x.rows()), d(x.cols()) {
    panels.resize(static_cast<std::size_t>(round_up(rows, kLanes) * d));
    points.resize(static_cast<std::size_t>(round_up(rows, kColumns) * d));
    for (Index k = 0; k < d; ++k) {
      const double* column = x.data() + k * x.outerStride();
      for (Index i = 0; i < rows; ++i) {
        panels[static_cast<std::size_t>((i / kLanes * d + k) * kLanes + i % kLanes)] = column[i];
        points[static_cast<std::size_t>(i * d + k)] = column[i];
      }
    }
  }
  Index rows, d;
  std::vector<double> panels;  ///< eight rows at a time, dimension after dimension
  std::vector<double> points;  ///< row after row
};

/// Rows × columns of a tile, from panels and points of d numbers for each.
struct Tile {
  const double *panels, *points;
  Index d, rows, columns;
  double* value;
};

/// sum += (x − z)²
struct SquaredDifference {
  template <class Register>
  GNOMON_INLINE static void add(Register& sum, const Register& x, double z) {
    const Register e = x - z;
    sum += e * e;
  }
};

/// sum += x z
struct Product {
  template <class Register>
  GNOMON_INLINE static void add(Register& sum, const Register& x, double z) {
    sum += x * z;
  }
};

/// value_ij = Σ_k term(x_ik, z_jk), the sum always in the order of the columns; a panel's eight rows are `Groups` registers.
template <class Term, class Register, int Groups>
GNOMON_INLINE void sum_tile(const Tile& t) {
  constexpr Index lanes = sizeof(Register) / sizeof(double);
  static_assert(lanes * Groups == kLanes);
  for (Index j = 0; j < t.columns; j += kColumns) {
    const double* z = t.points + j * t.d;
    for (Index i = 0; i < t.rows; i += kLanes) {
      const double* panel = t.panels + i * t.d;
      Register sum[kColumns][Groups] = {};
      for (Index k = 0; k < t.d; ++k) {
        Register x[Groups];
#pragma GCC unroll 4
        for (int g = 0; g < Groups; ++g) x[g] = at<Register>(panel + k * kLanes + g * lanes).value;
#pragma GCC unroll 4
        for (Index c = 0; c < kColumns; ++c)
#pragma GCC unroll 4
          for (int g = 0; g < Groups; ++g) Term::add(sum[c][g], x[g], z[c * t.d + k]);
      }
#pragma GCC unroll 4
      for (Index c = 0; c < kColumns; ++c)
#pragma GCC unroll 4
        for (int g = 0; g < Groups; ++g)
          at<Register>(t.value + (j + c) * t.rows + i + g * lanes).value = sum[c][g];
    }
  }
}

template <class Term>
void tile_by_four(const Tile& t) {
  sum_tile<Term, Four, 2>(t);
}
#if GNOMON_INSTRUCTIONS >= 3
template <class Term>
GNOMON_FUSED void tile_by_four_fused(const Tile& t) {
  sum_tile<Term, Four, 2>(t);
}
#endif
#if GNOMON_INSTRUCTIONS == 4
template <class Term>
GNOMON_WIDE void tile_by_eight(const Tile& t) {
  sum_tile<Term, Lanes, 1>(t);
}
#endif

template <class Term>
void fill_tile(const Tile& t) {
#if GNOMON_INSTRUCTIONS == 4
  if (has_wide_vectors()) return tile_by_eight<Term>(t);
#endif
#if GNOMON_INSTRUCTIONS >= 3
  if (has_fused_vectors()) return tile_by_four_fused<Term>(t);
#endif
  tile_by_four<Term>(t);
}

/// `count` is a multiple of the vector length, so the scalar tail of the loop never runs.
template <class K>
GNOMON_HOT void apply(K kernel, double* value, Index count) {
  for (Index i = 0; i < count; ++i) value[i] = kernel(value[i]);
}

GNOMON_HOT void apply(Polynomial kernel, double* value, Index count) {
  const double scale = 1 / (kernel.width * kernel.width);
  for (Index begin = 0; begin < count; begin += kTile) {
    double base[kTile], power[kTile];
    const Index size = std::min(kTile, count - begin);
    for (Index i = 0; i < size; ++i) base[i] = 1 + value[begin + i] * scale, power[i] = 1;
    for (int left = kernel.degree; left > 0; left /= 2) {
      if (left % 2 == 1)
        for (Index i = 0; i < size; ++i) power[i] *= base[i];
      if (left > 1)
        for (Index i = 0; i < size; ++i) base[i] *= base[i];
    }
    for (Index i = 0; i < size; ++i) value[begin + i] = power[i];
  }
}

/// The kernel that only measures: lets `squared_distances` share the path of the kernels.
struct SquaredDistance {
  double operator()(double squared_distance) const { return squared_distance; }
};

/// Padded to whole groups of columns.
Tile tile_at(const Packed& x, Index first_row, const Packed& z, Index first_column, Index rows, Index columns,
             double* value) {
  return {x.panels.data() + first_row * x.d,
          z.points.data() + first_column * z.d,
          x.d,
          rows,
          round_up(columns, kColumns),
          value};
}

/// One virtual call for the whole tile.
void compute(const OwnKernel& kernel, const Packed& x, Index first_row, const Packed& z, Index first_column,
             Index rows, Index columns, double* value) {
  const Tile tile = tile_at(x, first_row, z, first_column, rows, columns, value);
  switch (kernel.argument()) {
    case OwnKernel::Argument::squared_distance:
      fill_tile<SquaredDifference>(tile);
      return kernel.apply(value, rows * tile.columns);
    case OwnKernel::Argument::inner_product:
      fill_tile<Product>(tile);
      return kernel.apply(value, rows * tile.columns);
    case OwnKernel::Argument::rows:
      return kernel.fill(x.points.data() + first_row * x.d, std::min(rows, x.rows - first_row), tile.points,
                         columns, x.d, value, rows);
  }
  fail("kernel '{}' is a function of nothing that is known here", kernel.name());
}

template <class K>
void compute(const K& kernel, const Packed& x, Index first_row, const Packed& z, Index first_column,
             Index rows, Index columns, double* value) {
  const Tile tile = tile_at(x, first_row, z, first_column, rows, columns, value);
  fill_tile<std::conditional_t<takes_inner_product<K>, Product, SquaredDifference>>(tile);
  if constexpr (!std::is_same_v<K, SquaredDistance> && !std::is_same_v<K, Linear>)
    apply(kernel, value, rows * tile.columns);
}

/// Writes the leading part of a tile (leading dimension `stride`) into `out` at (row, column).
void store(const double* value, Index stride, Index rows, Index columns, Matrix& out, Index row,
           Index column) {
  for (Index j = 0; j < columns; ++j)
    std::copy_n(value + j * stride, rows, out.data() + (column + j) * out.rows() + row);
}

/// Writes the transpose, in squares of eight so that both sides stay in cache lines.
void store_transposed(const double* value, Index stride, Index rows, Index columns, Matrix& out, Index row,
                      Index column) {
  for (Index i0 = 0; i0 < rows; i0 += kLanes)
    for (Index j0 = 0; j0 < columns; j0 += kLanes)
      for (Index i = i0; i < std::min(rows, i0 + kLanes); ++i) {
        double* target = out.data() + (column + i) * out.rows() + row;
        for (Index j = j0; j < std::min(columns, j0 + kLanes); ++j) target[j] = value[j * stride + i];
      }
}

/// Tasks in parallel if there is enough to do (in multiply-adds) to pay for starting threads.
void for_each_task(Index tasks, double work, const std::function<void(Index)>& body) {
  constexpr double kWorthThreads = 4e6;
  if (work >= kWorthThreads) return parallel_for(tasks, body);
  for (Index task = 0; task < tasks; ++task) body(task);
}

double work_of(Index rows, Index columns, Index d) {
  constexpr double kFunction = 16;  // a kernel function costs about as much as this many dimensions
  return static_cast<double>(rows) * static_cast<double>(columns) * (static_cast<double>(d) + kFunction);
}

template <class K>
Matrix symmetric(const K& kernel, MatrixView x) {
  const Packed packed(x);
  const Index n = x.rows(), tiles = round_up(n, kTile) / kTile;
  Matrix out = fresh_matrix(n, n);
  for_each_task(tiles, work_of(n, n, x.cols()) / 2, [&](Index task) {
    // Long and short tile columns alternate, so that threads share the triangle evenly.
    const Index tj = task % 2 == 0 ? task / 2 : tiles - 1 - task / 2;
    alignas(64) double value[kTile * kTile];
    const Index column = tj * kTile, columns = std::min(kTile, n - column);
    for (Index row = column; row < n; row += kTile) {
      const Index rows = std::min(kTile, n - row), stride = round_up(rows, kLanes);
      compute(kernel, packed, row, packed, column, stride, columns, value);
      store(value, stride, rows, columns, out, row, column);
      if (row > column) store_transposed(value, stride, rows, columns, out, column, row);
    }
  });
  return out;
}

template <class K>
Matrix rectangular(const K& kernel, MatrixView x_new, MatrixView x) {
  require(x_new.cols() == x.cols(),
          "new inputs have {} columns where the known ones have {}: give the same features", x_new.cols(),
          x.cols());
  const Packed rows_packed(x_new), columns_packed(x);
  const Index m = x_new.rows(), n = x.rows();
  Matrix out = fresh_matrix(m, n);
  for_each_task(round_up(n, kTile) / kTile, work_of(m, n, x.cols()), [&](Index tj) {
    alignas(64) double value[kTile * kTile];
    const Index column = tj * kTile, columns = std::min(kTile, n - column);
    for (Index row = 0; row < m; row += kTile) {
      const Index rows = std::min(kTile, m - row), stride = round_up(rows, kLanes);
      compute(kernel, rows_packed, row, columns_packed, column, stride, columns, value);
      store(value, stride, rows, columns, out, row, column);
    }
  });
  return out;
}

/// Overflow of ours shows on the diagonal; a function from elsewhere may fail anywhere.
void check_finite(const OwnKernel& kernel, const Matrix& k) {
  require(k.allFinite(), "kernel '{}' is infinite or not a number for some pair of rows", kernel.name());
}

/// Ours are symmetric to the last digit; k(x, x') and k(x', x) from elsewhere may be rounded apart.
void mirror(Matrix& k) {
  for (Index j = 1; j < k.cols(); ++j)
    for (Index i = 0; i < j; ++i) k(i, j) = k(j, i);
}

}  // namespace

Matrix gram(const Kernel& kernel, MatrixView x) {
  Matrix k = std::visit([&](const auto& function) { return symmetric(function, x); }, kernel);
  if (const auto* own = std::get_if<OwnKernel>(&kernel)) {
    check_finite(*own, k);
    mirror(k);
  }
  return k;
}

Matrix cross_gram(const Kernel& kernel, MatrixView x_new, MatrixView x) {
  Matrix k = std::visit([&](const auto& function) { return rectangular(function, x_new, x); }, kernel);
  if (const auto* own = std::get_if<OwnKernel>(&kernel)) check_finite(*own, k);
  return k;
}

Matrix squared_distances(MatrixView a, MatrixView b) { return rectangular(SquaredDistance{}, a, b); }

}  // namespace gnomon
