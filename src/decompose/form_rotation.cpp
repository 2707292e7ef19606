#include "form_rotation.hpp"

#include <cblas.h>

#include <algorithm>

#include "core/team.hpp"

namespace gnomon {
namespace {

Matrix panel_reflectors(const Matrix& a, Index begin, Index width, Index below) {
  const Index m = a.rows() - below;
  Matrix v = Matrix::Zero(m, width);
  for (Index j = 0; j < std::min(width, m); ++j) {
    v(j, j) = 1;
    v.col(j).tail(m - j - 1) = a.col(begin + j).tail(m - j - 1);
  }
  return v;
}

void make_identity(Matrix& a, Index first, Index count) {
  a.middleCols(first, count).setZero();
  a.middleRows(first, count).rightCols(a.cols() - first).setZero();
  a.diagonal().segment(first, count).setOnes();
}

}  // namespace

void form_rotation(Matrix& a, const Matrix& factors, Index offset) {
  const Index n = a.rows(), width = factors.rows();
  const int w = static_cast<int>(width), lda = static_cast<int>(n);
  constexpr Index chunk = 192;
  Team team;
  const Index panels = n > offset ? (n - offset - 1) / width + 1 : 0;
  // From the last to the first: H acts on rows and columns from `below` on. The next panel's columns are free by then.
  for (Index begin = (panels - 1) * width; begin >= 0; begin -= width) {
    const Index below = begin + offset, m = n - below;
    const Matrix v = panel_reflectors(a, begin, width, below);
    const double* t = factors.col(begin).data();
    make_identity(a, below, std::min(width, m));
    team.run((m + chunk - 1) / chunk, [&](Index c) {
      const Index first = below + c * chunk, columns = std::min(chunk, n - first);
      Matrix x(width, columns);
      cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, w, static_cast<int>(columns), static_cast<int>(m),
                  1, v.data(), static_cast<int>(m), &a(below, first), lda, 0, x.data(), w);
      cblas_dtrmm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, w,
                  static_cast<int>(columns), 1, t, w, x.data(), w);
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(m), static_cast<int>(columns),
                  w, -1, v.data(), static_cast<int>(m), x.data(), w, 1, &a(below, first), lda);
    });
  }
  make_identity(a, 0, std::min(offset, n));
}

}  // namespace gnomon
