#pragma once

#include <optional>
#include <string>

#include "curvature.hpp"
#include "gnomon/learn/account.hpp"
#include "gnomon/learn/decay_evidence.hpp"

namespace gnomon {

/// Effective numbers of parameters: m₁ = tr(HJ⁻¹), m₂ = tr((HJ⁻¹)²), γ_g = tr(P_g J⁻¹H).
struct MlpEffective {
  double m1 = 0, m2 = 0;
  Vector gamma;            ///< per decay group
  double gamma_total = 0;  ///< m₁: Σγ_g plus the free weights that count
};

/// How lagged products of scores enter GEN.
enum class MlpLagWindow {
  corrected,  ///< weight 1, A = 2M+1 − M(M+1)/N
  printed,    ///< weight (N−n)/N, A = M+1 − M(M+1)/(2N): as in the paper, for comparison
  bartlett    ///< weight 1 − n/(M+1), A = M+1: L is positive semidefinite
};

/// The account of GEN and NIC: products and stationarity as Scores has them, for a window of lags.
struct MlpScores {
  Scores account;
  double a = 1;      ///< what one row stands for under the window, the A of GEN
  Slopes printed{};  ///< the paper's (14): scores, Hessian and weights held fixed
};

/// The algebraic estimates at trained weights, with one factorisation of J shared by all. The cost must outlive it.
/// `kind` says which Hessian stands in the formulas; derivatives of the weights always use the exact one.
/// Cost beyond the Hessian: 4Np² for GEN, p³ for the evidence, two Hessians each for all gradients together.
class MlpEstimates {
 public:
  MlpEstimates(const MlpCost& cost, const VectorView& w, MlpHessian kind = MlpHessian::exact);

  const MlpCurvature& curvature() const { return curvature_; }
  /// dŵ/dlog κ, weights × groups; nothing where w is no minimum.
  const std::optional<Matrix>& weights_along() const { return along_; }
  MlpEffective effective() const;
  /// Undefined where J is singular; slopes, where asked for, only at a minimum.
  MlpScores scores(Index lag = 0, MlpLagWindow window = MlpLagWindow::corrected, bool slopes = true) const;
  /// What the evidence by Laplace's method is made of: likelihood ∝ exp(−βNS), prior ∝ exp(−Σ κ_gβN|w_g|²), free weights
  /// flat with density 1. Free output biases of a classifier are flat where their sum is 0, with density 1 per unit of
  /// Euclidean volume there, so that no class is singled out; what softmax does not see is not integrated over. Throws where J is not positive definite. With `slopes` also the dependence of J on the weights; empty where w is no
  /// minimum.
  DecayEvidence decays(bool slopes = true) const;
  /// Why numbers are undefined or doubtful; empty = no objection.
  const std::string& trouble() const { return trouble_; }

 private:
  double observations() const;
  const MlpCost& cost_;
  Vector w_;
  double error_;
  Vector error_gradient_, penalty_gradient_;
  MlpCurvature curvature_;
  std::optional<Matrix> along_;
  Matrix inverse_;  ///< J⁻¹; empty where singular
  std::string trouble_;
};

}  // namespace gnomon
