#include <cblas.h>

#include <cmath>

#include "gnomon/core/error.hpp"
#include "gnomon/learn/mlp_estimates.hpp"

namespace gnomon {
namespace {

struct Lags {
  double a;
  Vector weight;  ///< of lags 1, …, M
};

Lags lags_of(MlpLagWindow window, Index m, Index rows) {
  const double lag = static_cast<double>(m), n = static_cast<double>(rows);
  Lags out{1, Vector::Ones(m)};
  switch (window) {
    case MlpLagWindow::corrected:
      out.a = 2 * lag + 1 - lag * (lag + 1) / n;
      break;
    case MlpLagWindow::printed:
      out.a = lag + 1 - lag * (lag + 1) / (2 * n);
      for (Index k = 0; k < m; ++k) out.weight[k] = (n - static_cast<double>(k + 1)) / n;
      break;
    case MlpLagWindow::bartlett:
      out.a = lag + 1;
      for (Index k = 0; k < m; ++k) out.weight[k] = 1 - static_cast<double>(k + 1) / (lag + 1);
  }
  return out;
}

/// s̃_k = s_k + Σ_n weight_n (s_{k+n} + s_{k−n}), so that L = (1/N) Σ_k s_k s̃_kᵀ whatever the lags. Columns are rows
/// of the data here.
Matrix smoothed(const Matrix& scores, const Vector& weight) {
  Matrix out = scores;
  for (Index k = 0; k < weight.size(); ++k) {
    const Index kept = scores.cols() - k - 1;
    out.leftCols(kept) += weight[k] * scores.rightCols(kept);
    out.rightCols(kept) += weight[k] * scores.leftCols(kept);
  }
  return out;
}

/// a bᵀ, symmetric by construction.
Matrix outer(const Matrix& a, const Matrix& b, double factor) {
  const int p = static_cast<int>(a.rows()), n = static_cast<int>(a.cols());
  Matrix out(p, p);
  if (&a == &b) {
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, p, n, factor, a.data(), p, 0, out.data(), p);
  } else {
    cblas_dsyr2k(CblasColMajor, CblasLower, CblasNoTrans, p, n, 0.5 * factor, a.data(), p, b.data(), p, 0,
                 out.data(), p);
  }
  out.triangularView<Eigen::StrictlyUpper>() = out.transpose();
  return out;
}

}  // namespace

// With u = J⁻¹R' and Y = J⁻¹S̃ the gradient along a change (dw, dJ, dR') of a decay is
//   ∇S·dw + (2/N²) Σ_k ds_k·Y_k − ⟨J⁻¹LJ⁻¹/N − (A/N)uuᵀ, dJ⟩ − (2A/N) u·dR',   dJ = D³S[dw] + 2κ_gP_g.
MlpGen MlpEstimates::gen(Index lag, MlpLagWindow window, bool with_gradient) const {
  const Index rows = cost_.rows();
  require(lag >= 0 && lag < rows, "GEN with lag {} needs more than {} rows; there are {}", lag, lag, rows);
  const Lags lags = lags_of(window, lag, rows);
  const double n = static_cast<double>(rows);
  MlpGen out;
  out.a = lags.a;
  out.status = trouble_;
  if (!curvature_.regular()) return out;
  const double gamma = inverse_.cwiseProduct(curvature_.h()).sum();
  if (out.status.empty() && gamma > 0.8 * observations())
    out.status = fmt::format("{:.1f} effective parameters for {:.0f} observations: GEN is too small here",
                             gamma, observations());
  const Matrix scores = cost_.scores(w_).transpose();
  const Matrix solved = curvature_.solve(scores);
  const Matrix solved_lags = lag == 0 ? Matrix() : smoothed(solved, lags.weight);
  const Matrix& y = lag == 0 ? solved : solved_lags;
  const Vector u = curvature_.solve(penalty_gradient_);
  out.effective = scores.cwiseProduct(y).sum() / n;
  out.correction = lags.a / n * u.dot(penalty_gradient_);
  if (lag == 0) {
    // Centred scores first: at the minimum the mean of the scores is −R' and cancels the last term.
    const Vector mean = scores.rowwise().mean(), solved_mean = solved.rowwise().mean();
    const double centred = (scores.colwise() - mean).cwiseProduct(solved.colwise() - solved_mean).sum() / n;
    out.value = error_ + centred / n + (mean - penalty_gradient_).dot(solved_mean + u) / n;
  } else {
    out.value = error_ + out.effective / n - out.correction;
  }
  if (!with_gradient) return out;
  const MlpDecay& decay = cost_.decay();
  Matrix m = outer(solved, y, -1 / (n * n));
  cblas_dger(CblasColMajor, static_cast<int>(u.size()), static_cast<int>(u.size()), lags.a / n, u.data(), 1,
             u.data(), 1, m.data(), static_cast<int>(u.size()));
  Vector penalty_part(decay.groups());
  out.gradient_printed.resize(decay.groups());
  for (Index g = 0; g < decay.groups(); ++g) {
    penalty_part[g] = 2 * decay.kappa[g] * decay.restricted(m.diagonal(), g).sum();
    const double first = 2 * decay.kappa[g] * decay.restricted(w_, g).dot(u);
    out.gradient_printed[g] = (1 - 2 * lags.a / n) * first + penalty_part[g];
  }
  if (!along_) return out;
  const Vector from_scores = 2 / (n * n) * cost_.scores_contracted_along(w_, y.transpose().eval(), *along_);
  const Matrix third = cost_.hessian_contracted_along(w_, {m}, *along_, curvature_.kind());
  out.gradient = along_->transpose() * error_gradient_ + from_scores + third.col(0) + penalty_part;
  for (Index g = 0; g < decay.groups(); ++g) {
    const Vector change =
        2 * decay.kappa[g] * decay.restricted(w_, g) + cost_.penalty_gradient(along_->col(g));
    out.gradient[g] -= 2 * lags.a / n * u.dot(change);
  }
  return out;
}

}  // namespace gnomon
