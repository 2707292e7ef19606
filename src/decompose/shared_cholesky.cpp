#include "shared_cholesky.hpp"

#include <algorithm>

#include "core/team.hpp"
#include "lapack.hpp"

namespace gnomon {
namespace {

using lapack::as_int;

constexpr Index block = 128;        // order of the diagonal blocks
constexpr Index chunk = 2 * block;  // rows or columns that one thread takes

Index pieces(Index size, Index piece) { return (size + piece - 1) / piece; }

bool factor_block(Matrix& a, Index first) {
  const Index order = std::min(block, a.rows() - first);
  return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', as_int(order), &a(first, first), as_int(a.rows())) == 0;
}

}  // namespace

bool factor_positive_definite(Matrix& a) {
  const Index n = a.rows();
  const int lda = as_int(n);
  if (n == 0) return true;
  Team team(n > 2 * chunk ? 0 : 1);
  bool positive = factor_block(a, 0);
  for (Index first = 0; first + block < n && positive; first += block) {
    const Index below = first + block, rest = n - below;
    team.run(pieces(rest, chunk), [&](Index c) {
      const Index row = below + c * chunk;
      cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit,
                  as_int(std::min(chunk, n - row)), as_int(block), 1, &a(first, first), lda, &a(row, first),
                  lda);
    });
    // What is left, strip by strip; the first strip's thread goes on to factor the next diagonal block.
    team.run(pieces(rest, block), [&](Index s) {
      const Index column = below + s * block;
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, as_int(n - column),
                  as_int(std::min(block, n - column)), as_int(block), -1, &a(column, first), lda,
                  &a(column, first), lda, 1, &a(column, column), lda);
      if (s == 0) positive = factor_block(a, below);
    });
  }
  return positive;
}

/// Block row after block row: X_ii = L_ii⁻¹ and X_ij = −X_ii Σ_{j ≤ k < i} L_ik X_kj.
void invert_lower(Matrix& l) {
  const Index n = l.rows();
  const int ld = as_int(n);
  l.triangularView<Eigen::StrictlyUpper>().setZero();
  Team team(n > 2 * chunk ? 0 : 1);
  Matrix row(block, std::max<Index>(n - 1, 0)), product(block, std::max<Index>(n - 1, 0));
  for (Index first = 0; first < n; first += block) {
    const Index order = std::min(block, n - first);
    LAPACKE_dtrtri_work(LAPACK_COL_MAJOR, 'L', 'N', as_int(order), &l(first, first), ld);
    row.topLeftCorner(order, first) = l.block(first, 0, order, first);
    team.run(pieces(first, chunk), [&](Index c) {
      const Index column = c * chunk, columns = std::min(chunk, first - column);
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, as_int(order), as_int(columns),
                  as_int(first - column), -1, row.col(column).data(), as_int(block), &l(column, column), ld,
                  0, product.col(column).data(), as_int(block));
      cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, as_int(order),
                  as_int(columns), 1, &l(first, first), ld, product.col(column).data(), as_int(block));
      l.block(first, column, order, columns) = product.block(0, column, order, columns);
    });
  }
}

}  // namespace gnomon
