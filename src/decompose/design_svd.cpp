#include "design_svd.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <vector>

namespace gnomon {
namespace {

constexpr double alike = 1024;          ///< columns within this factor of each other need no scaling
constexpr double enough_digits = 1e-6;  ///< s above this share of s₁ have ten digits whatever the scales

lapack::ThinSvd columns_of(const lapack::ThinSvd& svd, const std::vector<Index>& kept) {
  return {svd.u(Eigen::all, kept), svd.s(kept), svd.v(Eigen::all, kept)};
}

/// Directions above rounding. In direction k the columns carry rounding of size ε·|v_k ∘ before|.
std::vector<Index> in_range(const lapack::ThinSvd& svd, double tolerance, const Vector& before) {
  std::vector<Index> kept;
  for (Index k = 0; k < svd.s.size(); ++k) {
    const double carried = before.size() ? svd.v.col(k).cwiseProduct(before).norm() : 0;
    if (svd.s[k] > tolerance * std::max(svd.s[0], carried)) kept.push_back(k);
  }
  return kept;
}

/// G = W diag(s) Zᵀ for G = D₁CD₂ with diagonal D and C of modest condition, rows ≥ columns.
lapack::ThinSvd jacobi_svd(Matrix&& g) {
  const int m = static_cast<int>(g.rows()), n = static_cast<int>(g.cols());
  lapack::ThinSvd result{Matrix(m, n), Vector(n), Matrix(n, n)};
  double stat[7] = {};
  int istat[3] = {};
  const int info = LAPACKE_dgejsv(LAPACK_COL_MAJOR, 'F', 'U', 'V', 'R', 'N', 'N', m, n, g.data(), m,
                                  result.s.data(), result.u.data(), m, result.v.data(), n, stat, istat);
  require(info == 0, "singular value decomposition of a {}×{} matrix failed (LAPACK dgejsv, info {})", m, n,
          info);
  result.s *= stat[1] / stat[0];
  return result;
}

/// Orthonormal Q with A = A Q Qᵀ for a design A = A_e S, p × rank, from the directions `null` of A_e outside its range: the
/// complement of S⁻¹null. Columns that depend on no others (rows of `null` at rounding level) stay what they are, so that a
/// small one does not take up the rounding of large ones. Rounding is taken for ½/√p at most: the squares of all rows sum to
/// p − rank, so that at least p − rank rows are above it, and they have full rank.
Matrix compression(const Matrix& null, const Vector& scale, double rounding) {
  const Index p = null.rows(), rank = p - null.cols();
  rounding = std::min(rounding, 0.5 / std::sqrt(static_cast<double>(p)));
  Matrix q = Matrix::Zero(p, rank);
  std::vector<Index> dependent;
  Index column = 0;
  for (Index j = 0; j < p; ++j) {
    if (null.row(j).norm() > rounding)
      dependent.push_back(j);
    else
      q(j, column++) = 1;
  }
  const Matrix spanned = scale(dependent).cwiseInverse().asDiagonal() * Matrix(null(dependent, Eigen::all));
  const Matrix turned = spanned.householderQr().householderQ();
  q(dependent, Eigen::seq(column, rank - 1)) = turned.rightCols(rank - column);
  return q;
}

/// A = A_e S of full column rank from A_e = U_e Σ_e V_eᵀ:
///   U = U_e Z,  V = S V_e Σ_e Z diag(s)⁻¹ = S⁻¹V_e Σ_e⁻¹ Z diag(s),     S V_e Σ_e = W diag(s) Zᵀ.
/// V_jk is about as small as S_j/s_k or s_k/S_j, whichever is less than 1, and so is the rounding of the one form or the
/// other: each entry takes the better one.
lapack::ThinSvd rescaled(const lapack::ThinSvd& e, const Vector& scale) {
  const lapack::ThinSvd factor = jacobi_svd(scale.asDiagonal() * e.v * e.s.asDiagonal());
  const Vector& s = factor.s;
  const Matrix direct = lapack::product(e.v, false, e.s.asDiagonal() * factor.v, false),
               inverse = lapack::product(e.v, false, e.s.cwiseInverse().asDiagonal() * factor.v, false);
  lapack::ThinSvd out{lapack::product(e.u, false, factor.v, false), s, Matrix(scale.size(), s.size())};
  for (Index k = 0; k < s.size(); ++k)
    for (Index j = 0; j < scale.size(); ++j)
      out.v(j, k) = scale[j] > s[k] ? inverse(j, k) * (s[k] / scale[j]) : direct(j, k) * (scale[j] / s[k]);
  return out;
}

}  // namespace

lapack::ThinSvd design_svd(Matrix&& a, const Vector& before) {
  const Index n = a.rows(), p = a.cols();
  const double tolerance = static_cast<double>(std::max(n, p)) * machine_epsilon;
  Vector norm = a.colwise().norm().transpose();
  double least = HUGE_VAL;
  for (Index j = 0; j < p; ++j) {
    if (before.size() && norm[j] <= tolerance * before[j]) norm[j] = 0;  // a constant
    if (norm[j] > 0) least = std::min(least, norm[j]);
  }
  const bool plain = n < p || !(norm.size() && norm.maxCoeff() > alike * least);
  Matrix kept = plain ? Matrix() : a;
  lapack::ThinSvd svd = lapack::thin_svd(std::move(a));
  std::vector<Index> range = in_range(svd, tolerance, before);
  if (plain) return columns_of(svd, range);
  if (static_cast<Index>(range.size()) == p && svd.s[p - 1] > enough_digits * svd.s[0]) return svd;

  Vector scale = Vector::Ones(p), carried;
  for (Index j = 0; j < p; ++j) {
    if (norm[j] > 0)
      scale[j] = std::exp2(std::round(std::log2(norm[j])));
    else
      kept.col(j).setZero();
  }
  if (before.size()) carried = before.cwiseQuotient(scale);
  svd = lapack::thin_svd(kept * scale.cwiseInverse().asDiagonal());
  range = in_range(svd, tolerance, carried);
  if (static_cast<Index>(range.size()) == p) return rescaled(svd, scale);
  if (range.empty()) return columns_of(svd, range);
  std::vector<Index> outside;
  for (Index k = 0; k < p; ++k)
    if (!std::binary_search(range.begin(), range.end(), k)) outside.push_back(k);
  // The directions outside are known to the rounding of the columns over the gap to the range.
  const double rounding =
      tolerance * std::max(1.0, carried.size() ? carried.maxCoeff() : 0) / svd.s[range.back()];
  const Matrix q = compression(svd.v(Eigen::all, outside), scale, rounding);
  Vector of_compressed;
  if (before.size()) of_compressed = (q.cwiseAbs2().transpose() * before.cwiseAbs2()).cwiseSqrt();
  svd = design_svd(lapack::product(kept, false, q, false), of_compressed);
  svd.v = lapack::product(q, false, svd.v, false);
  return svd;
}

}  // namespace gnomon
