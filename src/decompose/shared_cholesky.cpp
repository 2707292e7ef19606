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

void solve_lower(const Matrix& l, CBLAS_TRANSPOSE transpose, Vector& b) {
  constexpr Index order = 512;  // of the triangles, one after another; threads share the rectangles between
  const Index n = l.rows(), triangles = pieces(n, order);
  const int ld = as_int(n);
  const bool forward = transpose == CblasNoTrans;
  Team team(triangles > 2 ? 0 : 1);
  for (Index t = 0; t < triangles; ++t) {
    const Index first = (forward ? t : triangles - 1 - t) * order, size = std::min(order, n - first);
    cblas_dtrsv(CblasColMajor, CblasLower, transpose, CblasNonUnit, as_int(size), &l(first, first), ld,
                b.data() + first, 1);
    const Index begin = forward ? first + size : 0, rest = forward ? n - begin : first;
    team.run(pieces(rest, chunk), [&](Index c) {
      const Index at = begin + c * chunk;
      const int count = as_int(std::min(chunk, begin + rest - at));
      if (forward)
        cblas_dgemv(CblasColMajor, transpose, count, as_int(size), -1, &l(at, first), ld, b.data() + first, 1,
                    1, b.data() + at, 1);
      else
        cblas_dgemv(CblasColMajor, transpose, as_int(size), count, -1, &l(first, at), ld, b.data() + first, 1,
                    1, b.data() + at, 1);
    });
  }
}

void visit_inverse(const Matrix& l, const InverseVisitor& visit) {
  const Index n = l.rows();
  Team team(n > 2 * chunk ? 0 : 1);
  team.run(pieces(n, block), [&](Index c) {
    const Index first = c * block, size = n - first, count = std::min(block, size);
    Matrix x = Matrix::Zero(size, count);
    x.diagonal().setOnes();
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, as_int(size), as_int(count),
                1, &l(first, first), as_int(n), x.data(), as_int(size));
    visit(first, x);
  });
}

}  // namespace gnomon
