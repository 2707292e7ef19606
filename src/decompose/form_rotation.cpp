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

/// T of I − V T Vᵀ, the product of the panels I − V_p T_p V_pᵀ side by side in V: T₁₂ = −T₁ V₁ᵀV₂ T₂ as they join.
Matrix joined_factor(const Matrix& v, const Matrix& factors, Index begin) {
  const Index width = factors.rows();
  Matrix t = Matrix::Zero(v.cols(), v.cols());
  for (Index first = 0; first < v.cols(); first += width) {
    const auto own = factors.middleCols(begin + first, width).triangularView<Eigen::Upper>();
    t.block(first, first, width, width) = own;
    if (first == 0) continue;
    auto above = t.block(0, first, first, width);
    const double* below = v.data() + first;  // the later panel is zero above
    const int rows = static_cast<int>(std::max<Index>(v.rows() - first, 0)), ld = static_cast<int>(v.rows());
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, static_cast<int>(first), static_cast<int>(width),
                rows, -1, below, ld, below + first * v.rows(), ld, 0, above.data(),
                static_cast<int>(t.rows()));
    above = t.topLeftCorner(first, first).triangularView<Eigen::Upper>() * (above * own).eval();
  }
  return t;
}

void make_identity(Matrix& a, Index first, Index count) {
  a.middleCols(first, count).setZero();
  a.middleRows(first, count).rightCols(a.cols() - first).setZero();
  a.diagonal().segment(first, count).setOnes();
}

}  // namespace

void form_rotation(Matrix& a, const Matrix& factors, Index offset) {
  const Index n = a.rows(), width = factors.rows();
  const int lda = static_cast<int>(n);
  constexpr Index chunk = 192;
  Team team;
  const Index panels = n > offset ? (n - offset - 1) / width + 1 : 0;
  // Panels are joined to blocks of reflectors, for a product of many rows and few columns spends as long on copying its rows as on
  // multiplying them; a small matrix has them in the cache, and wider blocks begin with more zeros.
  const Index most = std::max<Index>(1, std::min<Index>(128, n / 24) / width);
  // From the last to the first: H acts on rows and columns from `below` on. The next block's columns are free by then.
  for (Index first_panel = (panels - 1) / most * most; panels > 0 && first_panel >= 0; first_panel -= most) {
    const Index begin = first_panel * width, below = begin + offset, m = n - below;
    const Index reflectors = std::min(most, panels - first_panel) * width;
    const int w = static_cast<int>(reflectors);
    const Matrix v = panel_reflectors(a, begin, reflectors, below);
    const Matrix t = joined_factor(v, factors, begin);
    make_identity(a, below, std::min(reflectors, m));
    team.run((m + chunk - 1) / chunk, [&](Index c) {
      const Index first = below + c * chunk, columns = std::min(chunk, n - first);
      Matrix x(reflectors, columns);
      cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, w, static_cast<int>(columns), static_cast<int>(m),
                  1, v.data(), static_cast<int>(m), &a(below, first), lda, 0, x.data(), w);
      cblas_dtrmm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, w,
                  static_cast<int>(columns), 1, t.data(), w, x.data(), w);
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(m), static_cast<int>(columns),
                  w, -1, v.data(), static_cast<int>(m), x.data(), w, 1, &a(below, first), lda);
    });
  }
  make_identity(a, 0, std::min(offset, n));
}

}  // namespace gnomon
