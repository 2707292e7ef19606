// Huber's fits as second-order criteria see them, in the coordinates of the design's singular vectors (q = rank + 1 with an
// intercept). S are the rows within τ, G = Φ̃_SᵀW_SΦ̃_S + λI′, ψ(u) = clamp(u, ±τ).

#include <algorithm>
#include <cmath>

#include "decompose/lapack.hpp"
#include "gnomon/decompose/filter.hpp"
#include "gnomon/learn/huber.hpp"
#include "hessian.hpp"
#include "learn/lag_products.hpp"

namespace gnomon {
namespace {

constexpr double accurate = 1e-3;  ///< least pivot from which the Cholesky factor loses next to nothing

/// E with G⁻¹ = E Eᵀ and log |C^(−1/2) G C^(−1/2)|, C = I + λ diag(1/s²).
struct InverseRoot {
  Matrix root;
  double log_det = undefined;
  bool singular = true;
};

Matrix rows_of(const WhitenedDesign& b, const std::vector<Index>& rows) {
  Matrix out(static_cast<Index>(rows.size()), b.size());
  for (Index k = 0; k < out.rows(); ++k)
    out.row(k) = Eigen::Map<const Eigen::RowVectorXd>(b.row(rows[static_cast<std::size_t>(k)]), b.size());
  return out;
}

InverseRoot inverse_root(const WhitenedDesign& b, const Matrix& gram, const PathFit& fit) {
  const Index q = b.size();
  const Vector ridge = fit.lambda * b.inverse_square().head(q), scale = (1 + ridge.array()).rsqrt();
  Matrix l = scale.asDiagonal() * gram * scale.asDiagonal();
  l.diagonal() += ridge.cwiseProduct(scale.cwiseAbs2());
  const int size = static_cast<int>(q);
  InverseRoot out;
  if (q == 0) return {Matrix(0, 0), 0, false};
  const bool positive = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', size, l.data(), size) == 0;
  if (positive && l.diagonal().cwiseAbs2().minCoeff() > accurate) {
    out.log_det = 2 * l.diagonal().array().log().sum();
    LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'L', 'N', size, l.data(), size);
    out.root = scale.asDiagonal() * Matrix(l.triangularView<Eigen::Lower>()).transpose();
    out.singular = false;
    return out;
  }
  const HuberRoot svd(b, fit.active, fit.lambda);
  if (svd.nullity() > 0) return out;
  out.log_det = 2 * svd.s.array().log().sum();
  out.root = svd.scale.asDiagonal() * svd.v * svd.s.cwiseInverse().asDiagonal();
  out.singular = false;
  return out;
}

}  // namespace

CostCurvature Huber::curvature(const PathFit& fit, const Vector& residual, Index lags) const {
  const WhitenedDesign& b = *design_;
  const Index q = b.size();
  // Rows that the fit was moved onto |u| = τ give a flat loss the curvature of one side only.
  const bool flat = !fit.unique && (fit.lambda > 0 || b.full_column_rank());
  if (flat) return {};
  const double tau = options_.tau;
  const Vector size = residual.cwiseAbs(), psi = residual.cwiseMax(-tau).cwiseMin(tau);
  const Vector& w = b.weight();

  const Matrix inside = rows_of(b, fit.active);
  const Matrix weighted = w(fit.active).asDiagonal() * inside;
  const Matrix gram = lapack::product(inside, true, weighted, false);
  const InverseRoot inverse = inverse_root(b, gram, fit);
  CostCurvature parts;
  if (inverse.singular) return parts;
  const Matrix& root = inverse.root;
  const Vector ridge = fit.lambda * b.inverse_square().head(q);

  parts.loss =
      w.dot((size.array() <= tau).select(size.array().square(), tau * (2 * size.array() - tau)).matrix());
  parts.penalty = fit.lambda * fit.coefficients.squaredNorm();

  // Row k: √w ψ_k φ̃_k in whitened coordinates times E.
  Matrix scores(b.rows(), q);
  for (Index i = 0; i < b.rows(); ++i)
    scores.row(i) = std::sqrt(w[i]) * psi[i] * Eigen::Map<const Eigen::RowVectorXd>(b.row(i), q);
  scores = lapack::product(scores, false, root, false);
  parts.score_products = scores.cwiseProduct(lag_filtered(scores, Vector::Ones(lags + 1))).sum();

  Vector z = Vector::Zero(b.stride());
  b.coordinates(fit.coefficients, fit.offset, z.data());
  parts.mean_score = (root.transpose() * ridge.cwiseProduct(z.head(q))).squaredNorm();

  // HJ⁻¹ has the eigenvalues of EᵀB_SᵀW_SB_SE = I − EᵀRE, R = λ diag(1/s²).
  parts.m1 = root.cwiseProduct(lapack::product(gram, false, root, false)).sum();
  const Matrix shrunk = lapack::product(root, true, ridge.asDiagonal() * root, false);
  parts.left_squared = b.weight().sum() - static_cast<double>(q) + shrunk.squaredNorm();

  parts.log_det_ratio = inverse.log_det + (b.intercept() ? std::log(b.weight().sum()) : 0);
  for (const double s : b.singular()) parts.log_det_ratio += log_one_plus_ratio(s * s, fit.lambda);
  return parts;
}

}  // namespace gnomon
