#include "lapack.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/team.hpp"
#include "gnomon/core/parallel.hpp"
#include "shared_cholesky.hpp"

namespace gnomon::lapack {
namespace {
constexpr Index divide_and_conquer_limit = 1500;

/// OpenBLAS's dsymv for processors before Nehalem (Prescott, Core2, Penryn, Barcelona) touches up to four numbers past the end of its
/// result.
constexpr Index room_behind_dsymv = 4;

Vector small_symmetric_times(const MatrixView& a, const VectorView& v) {
  const Index n = a.rows();
  Vector out(n + room_behind_dsymv);
  if (n > 0)
    cblas_dsymv(CblasColMajor, CblasLower, as_int(n), 1, a.data(), as_int(a.outerStride()), v.data(), 1, 0,
                out.data(), 1);
  out.conservativeResize(n);
  return out;
}
}  // namespace

SymmetricEigen symmetric_eigen(Matrix&& a) {
  const Index n = a.rows();
  SymmetricEigen result;
  result.values.resize(n);
  if (n == 0) return result;
  const BlasThreads shared(library_threads(n));
  if (n <= divide_and_conquer_limit) {
    const int info =
        LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', as_int(n), a.data(), as_int(n), result.values.data());
    require(info == 0, "eigendecomposition of a {0}×{0} matrix failed (LAPACK dsyevd, info {1})", n, info);
    result.vectors = std::move(a);
  } else {
    result.vectors.resize(n, n);
    int found = 0;
    std::vector<int> support(2 * static_cast<std::size_t>(n));
    const int info =
        LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'A', 'L', as_int(n), a.data(), as_int(n), 0, 0, 0, 0, 0, &found,
                       result.values.data(), result.vectors.data(), as_int(n), support.data());
    require(info == 0, "eigendecomposition of a {0}×{0} matrix failed (LAPACK dsyevr, info {1})", n, info);
    a.resize(0, 0);
  }
  result.values.reverseInPlace();
  for (Index j = 0; j < n / 2; ++j) result.vectors.col(j).swap(result.vectors.col(n - 1 - j));
  return result;
}

ThinSvd thin_svd(Matrix&& a) {
  const Index n = a.rows(), p = a.cols(), r = std::min(n, p);
  ThinSvd result{Matrix(n, r), Vector(r), Matrix()};
  Matrix vt(r, p);
  if (r > 0) {
    const BlasThreads shared(library_threads(r));
    const int info = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', as_int(n), as_int(p), a.data(), as_int(n),
                                    result.s.data(), result.u.data(), as_int(n), vt.data(), as_int(r));
    require(info == 0, "singular value decomposition of a {}×{} matrix failed (LAPACK dgesdd, info {})", n, p,
            info);
  }
  result.v = vt.transpose();
  return result;
}

/// Column by column of tiles, each of which serves both triangles while it is in cache. Every part has a sum of its own, so that the
/// result does not depend on the number of threads.
Vector symmetric_times(const MatrixView& a, const VectorView& v, double alpha) {
  const Index n = a.rows();
  constexpr Index tile = 256, most_parts = 16;
  if (n < 8 * tile) return alpha * small_symmetric_times(a, v);
  const int lda = as_int(a.outerStride());
  const Index columns = (n + tile - 1) / tile, parts = std::min(most_parts, columns / 2);
  Matrix sums = Matrix::Zero(n, parts);
  parallel_for(parts, [&](Index part) {
    double* sum = sums.col(part).data();
    for (Index j = part * tile; j < n; j += parts * tile) {
      const Index width = std::min(tile, n - j);
      sums.col(part).segment(j, width) +=
          small_symmetric_times(a.block(j, j, width, width), v.segment(j, width));
      for (Index i = j + width; i < n; i += tile) {
        const double* entries = a.data() + i + j * a.outerStride();
        const int rows = as_int(std::min(tile, n - i)), cols = as_int(width);
        cblas_dgemv(CblasColMajor, CblasNoTrans, rows, cols, 1, entries, lda, v.data() + j, 1, 1, sum + i, 1);
        cblas_dgemv(CblasColMajor, CblasTrans, rows, cols, 1, entries, lda, v.data() + i, 1, 1, sum + j, 1);
      }
    }
  });
  return alpha * sums.rowwise().sum();
}

void reduce_to_tridiagonal(Matrix& a, Vector& diagonal, Vector& off_diagonal, Vector& scales) {
  const Index n = a.rows(), others = std::max<Index>(n - 1, 0);
  for (Index j = 0; j < n; ++j)
    require(a.col(j).tail(n - j).allFinite(), "the matrix to reduce has an entry that is not finite");
  diagonal.resize(n);
  off_diagonal.resize(others);
  scales.resize(others + room_behind_dsymv);  // dsytrd lets dsymv write here and to its workspace
  Vector work(1);
  const auto call = [&](Index size) {
    return LAPACKE_dsytrd_work(LAPACK_COL_MAJOR, 'L', as_int(n), a.data(), as_int(n), diagonal.data(),
                               off_diagonal.data(), scales.data(), work.data(), as_int(size));
  };
  call(-1);
  const Index best = static_cast<Index>(work[0]);
  work.resize(best + room_behind_dsymv);
  const int info = call(best);
  require(info == 0, "the reduction of a {0}×{0} matrix failed (LAPACK dsytrd, info {1})", n, info);
  scales.conservativeResize(others);
}

Matrix product(const MatrixView& a, bool transpose_a, const MatrixView& b, bool transpose_b, double alpha) {
  const Index m = transpose_a ? a.cols() : a.rows(), k = transpose_a ? a.rows() : a.cols();
  const Index n = transpose_b ? b.rows() : b.cols();
  if (m == 0 || n == 0 || k == 0) return Matrix::Zero(m, n);
  Matrix c(m, n);
  // Rows and columns first … first + count of the result.
  const auto part = [&](Index row, Index rows, Index column, Index columns) {
    const double* left = a.data() + row * (transpose_a ? a.outerStride() : 1);
    const double* right = b.data() + column * (transpose_b ? 1 : b.outerStride());
    cblas_dgemm(CblasColMajor, transpose_a ? CblasTrans : CblasNoTrans,
                transpose_b ? CblasTrans : CblasNoTrans, as_int(rows), as_int(columns), as_int(k), alpha,
                left, as_int(a.outerStride()), right, as_int(b.outerStride()), 0, &c(row, column), as_int(m));
  };
  constexpr Index piece = 256;
  const Index longer = std::max(m, n);
  if (longer <= piece || m * n < 10'000'000 / k) {
    part(0, m, 0, n);
  } else {
    parallel_for((longer + piece - 1) / piece, [&](Index p) {
      const Index first = p * piece, count = std::min(piece, longer - first);
      m > n ? part(first, count, 0, n) : part(0, m, first, count);
    });
  }
  return c;
}

bool solve_positive_definite(Matrix& a, Matrix& b) {
  const int n = as_int(a.rows());
  if (n == 0) return true;
  if (!factor_positive_definite(a)) return false;
  return LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', n, as_int(b.cols()), a.data(), n, b.data(), n) == 0;
}

}  // namespace gnomon::lapack
