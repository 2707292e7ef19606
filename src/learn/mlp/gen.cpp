#include <cblas.h>

#include <cmath>

#include "estimates.hpp"
#include "gnomon/core/error.hpp"

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

// With u = J⁻¹R' and Y = J⁻¹S̃, along a change (dw, dJ, dR') of a decay, dJ = D³S[dw] + 2κ_gP_g,
//   d m_eff = (2/N) Σ_k ds_k·Y_k − ⟨J⁻¹LJ⁻¹, dJ⟩,   d(u·R') = 2u·dR' − uᵀdJ u,   m_eff = 2·products, u·R' = 2·stationarity/N.
MlpScores MlpEstimates::scores(Index lag, MlpLagWindow window, bool slopes) const {
  const Index rows = cost_.rows();
  require(lag >= 0 && lag < rows, "GEN with lag {} needs more than {} rows; there are {}", lag, lag, rows);
  const Lags lags = lags_of(window, lag, rows);
  const double n = static_cast<double>(rows);
  MlpScores out;
  out.a = lags.a;
  out.account.trouble = trouble_;
  if (!curvature_.regular()) return out;
  const Matrix scores = cost_.scores(w_).transpose();
  const Matrix solved = curvature_.solve(scores);
  const Matrix y = lag == 0 ? solved : smoothed(solved, lags.weight);
  const Vector u = curvature_.solve(penalty_gradient_);
  Scores& account = out.account;
  account.n = n, account.observations = observations();
  account.df = inverse_.cwiseProduct(curvature_.h()).sum();
  account.loss = n * error_;
  account.products = 0.5 * scores.cwiseProduct(y).sum() / n;
  account.stationarity = 0.5 * n * u.dot(penalty_gradient_);
  if (!slopes) return out;

  const MlpDecay& decay = cost_.decay();
  // ⟨m, dJ⟩ of a formula with these slopes in m_eff and −u·R'.
  const auto through_curvature = [=](double by_effective, double by_correction) {
    Matrix m = outer(solved, y, -by_effective / n);
    cblas_dger(CblasColMajor, static_cast<int>(u.size()), static_cast<int>(u.size()), by_correction, u.data(),
               1, u.data(), 1, m.data(), static_cast<int>(u.size()));
    return m;
  };
  const auto of_penalty = [&decay](const Matrix& m) {
    Vector part(decay.groups());
    for (Index g = 0; g < decay.groups(); ++g)
      part[g] = 2 * decay.kappa[g] * decay.restricted(m.diagonal(), g).sum();
    return part;
  };
  out.printed = [=, this](std::span<const double> by) -> Vector {
    const double by_error = by[0] * n, by_effective = by[1] / 2, by_correction = -by[2] * n / 2;
    Vector slope = of_penalty(through_curvature(by_effective, by_correction));
    for (Index g = 0; g < slope.size(); ++g)
      slope[g] += (by_error - 2 * by_correction) * 2 * decay.kappa[g] * decay.restricted(w_, g).dot(u);
    return slope;
  };
  if (!along_) return out;
  account.slopes = [=, this](std::span<const double> by) -> Vector {
    const double by_error = by[0] * n, by_effective = by[1] / 2, by_correction = -by[2] * n / 2;
    const Matrix m = through_curvature(by_effective, by_correction);
    Vector slope = by_error * (along_->transpose() * error_gradient_) + of_penalty(m);
    slope += 2 * by_effective / n * cost_.scores_contracted_along(w_, y.transpose().eval(), *along_);
    slope += cost_.hessian_contracted_along(w_, {m}, *along_, curvature_.kind()).col(0);
    for (Index g = 0; g < slope.size(); ++g) {
      const Vector change =
          2 * decay.kappa[g] * decay.restricted(w_, g) + cost_.penalty_gradient(along_->col(g));
      slope[g] -= 2 * by_correction * u.dot(change);
    }
    return slope;
  };
  return out;
}

}  // namespace gnomon
