#include "reference/wide_gen.hpp"

#include <fmt/format.h>

#include <Eigen/SVD>

namespace gnomon::reference {
namespace {

/// L_kl = c_|k−l|.
Matrix lag_matrix(const Vector& c, Index n) {
  Matrix l = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (std::abs(i - j) < c.size()) l(i, j) = c[std::abs(i - j)];
    }
  }
  return l;
}

/// One output: hat matrix, residual, rows B⁻¹x_k and weights.
struct WideFit {
  Matrix hat, z;
  Vector e, w;

  WideFit(const Matrix& x, const Vector& y, const Vector& decay) {
    const double n = static_cast<double>(x.rows());
    const Vector root = decay.cwiseSqrt().cwiseInverse();
    const Eigen::JacobiSVD<Matrix> svd((x * root.asDiagonal()).eval(),
                                       Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Matrix &u = svd.matrixU(), &v = svd.matrixV();
    const Vector s = svd.singularValues(), left = n * (s.array().square() + n).inverse();
    const Vector used = s.array().square() / n * left.array();
    hat = u * used.asDiagonal() * u.transpose();
    e = u * left.cwiseProduct(u.transpose() * y);
    z = u * left.cwiseProduct(s).asDiagonal() * v.transpose() * root.asDiagonal();
    w = z.transpose() * y / n;
  }
};

}  // namespace

bool is_wide(const GroupedRidge& ridge, const VectorView& kappa) {
  return ridge.penalty().is_decay() && ridge.penalty().unpenalised() == 0 && kappa.minCoeff() > 0 &&
         ridge.samples() <= ridge.inputs();
}

// By κ_g: de = ZP_gŵ, dA = −ZP_gZ'/N.
GenEstimate wide_gen(const GroupedRidge& ridge, const VectorView& kappa, const GenOptions& options) {
  const double n = static_cast<double>(ridge.samples());
  const Matrix lags = lag_matrix(lag_weights(options, ridge.samples()), ridge.samples());
  const Vector unit = slope_unit(options.slopes_by, kappa);
  GenEstimate out;
  out.lag_count = lag_count(options, ridge.samples());
  const double a = out.lag_count / n;
  out.value = out.m_eff = out.penalty_term = out.gamma = 0;
  out.gradient = out.gradient_eq14 = Vector::Zero(kappa.size());
  for (Index o = 0; o < ridge.outputs(); ++o) {
    const GroupedPenalty& penalty = ridge.penalty_of_output(o);
    const WideFit fit(ridge.x(), ridge.y().col(o), penalty.decay_of_weight(kappa));
    const Vector &e = fit.e, shrinkage = fit.z.transpose() * e / n;
    const Matrix weighted = fit.hat.cwiseProduct(lags);
    out.m_eff += 2 * e.dot(weighted * e);
    out.penalty_term += 2 * a / n * e.dot(fit.hat * e);
    out.gamma += fit.hat.trace();
    out.value += e.squaredNorm() / n;
    for (Index g = 0; g < kappa.size(); ++g) {
      const Vector of_group = penalty.apply(g, Vector::Ones(ridge.inputs())),
                   de = fit.z * penalty.apply(g, fit.w);
      const Matrix turned = fit.z * of_group.asDiagonal() * fit.z.transpose();
      const double bend = e.dot(turned.cwiseProduct(lags) * e) / n,
                   bent = shrinkage.dot(penalty.apply(g, shrinkage));
      const double pulled = shrinkage.dot(penalty.apply(g, fit.w));
      const double products = 2 * de.dot(weighted * e) - bend;
      const double stationarity = 2 * de.dot(fit.hat * e) - n * bent;
      out.gradient[g] += unit[g] * 2 / n * (de.dot(e) + products - a * stationarity);
      out.gradient_eq14[g] += unit[g] * 2 * ((1 - 2 * a) * pulled - bend / n + a * bent);
    }
  }
  out.value += out.m_eff / n - out.penalty_term;
  if (out.gamma > 0.8 * n * static_cast<double>(ridge.outputs())) {
    out.overfitted = true;
    out.warning = fmt::format("effective parameters {:.4g} exceed 0.8 of the observations", out.gamma);
  }
  return out;
}

}  // namespace gnomon::reference
