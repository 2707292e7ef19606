#include "lapack.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace gnomon::lapack {
namespace {
constexpr Index divide_and_conquer_limit = 1500;

int to_int(Index i) { return static_cast<int>(i); }
}  // namespace

SymmetricEigen symmetric_eigen(Matrix&& a) {
  const Index n = a.rows();
  SymmetricEigen result;
  result.values.resize(n);
  if (n == 0) return result;
  if (n <= divide_and_conquer_limit) {
    const int info =
        LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', to_int(n), a.data(), to_int(n), result.values.data());
    require(info == 0, "eigendecomposition of a {0}×{0} matrix failed (LAPACK dsyevd, info {1})", n, info);
    result.vectors = std::move(a);
  } else {
    result.vectors.resize(n, n);
    int found = 0;
    std::vector<int> support(2 * static_cast<std::size_t>(n));
    const int info =
        LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'A', 'L', to_int(n), a.data(), to_int(n), 0, 0, 0, 0, 0, &found,
                       result.values.data(), result.vectors.data(), to_int(n), support.data());
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
    const int info = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', to_int(n), to_int(p), a.data(), to_int(n),
                                    result.s.data(), result.u.data(), to_int(n), vt.data(), to_int(r));
    require(info == 0, "singular value decomposition of a {}×{} matrix failed (LAPACK dgesdd, info {})", n, p,
            info);
  }
  result.v = vt.transpose();
  return result;
}

Matrix product(const MatrixView& a, bool transpose_a, const MatrixView& b, bool transpose_b, double alpha) {
  const Index m = transpose_a ? a.cols() : a.rows(), k = transpose_a ? a.rows() : a.cols();
  const Index n = transpose_b ? b.rows() : b.cols();
  if (m == 0 || n == 0 || k == 0) return Matrix::Zero(m, n);
  Matrix c(m, n);
  cblas_dgemm(CblasColMajor, transpose_a ? CblasTrans : CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans,
              to_int(m), to_int(n), to_int(k), alpha, a.data(), to_int(a.outerStride()), b.data(),
              to_int(b.outerStride()), 0, c.data(), to_int(m));
  return c;
}

bool solve_positive_definite(Matrix& a, Matrix& b) {
  const int n = to_int(a.rows());
  if (n == 0) return true;
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, a.data(), n) != 0) return false;
  return LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', n, to_int(b.cols()), a.data(), n, b.data(), n) == 0;
}

bool invert_factor(Matrix& a) {
  const int n = as_int(a.rows());
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, a.data(), n) != 0) return false;
  if (LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'L', 'N', n, a.data(), n) != 0) return false;
  a.triangularView<Eigen::StrictlyUpper>().setZero();
  return true;
}

}  // namespace gnomon::lapack
