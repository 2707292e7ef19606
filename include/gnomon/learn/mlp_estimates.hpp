#pragma once

#include <optional>
#include <string>

#include "gnomon/learn/mlp_curvature.hpp"

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

/// GEN/NIC, Γ = S + tr(J⁻¹L)/N − (A/N) R'ᵀJ⁻¹R'. Gradients are with respect to log κ.
struct MlpGen {
  std::optional<double> value;  ///< nothing where J is singular
  double effective = 0;         ///< tr(J⁻¹L); carries a factor 2σ² for the squared loss
  double correction = 0;        ///< (A/N) R'ᵀJ⁻¹R'
  double a = 1;
  Vector gradient;          ///< exact; empty where w is no minimum
  Vector gradient_printed;  ///< the paper's (14): scores, Hessian and weights held fixed
  std::string status;       ///< trouble in words, else empty
};

/// −log evidence by Laplace's method, likelihood ∝ exp(−βNS), prior ∝ exp(−Σ κ_gβN|w_g|²), free weights flat.
struct MlpEvidence {
  std::optional<double> value;    ///< nothing where J is not positive definite or a κ is 0
  double beta = 1;                ///< 1/(2σ²); 1 for cross-entropy
  Vector gradient;                ///< with respect to log κ, exact; empty where w is no minimum
  Vector gradient_fixed_hessian;  ///< MacKay's: the Hessian's dependence on the weights left out
  double gradient_log_beta = 0;
  std::string status;
};

/// One step of MacKay's fixed point.
struct MlpMackayStep {
  Vector alpha, kappa;
  double beta = 1;
  std::string status;
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
  MlpGen gen(Index lag = 0, MlpLagWindow window = MlpLagWindow::corrected, bool with_gradient = true) const;
  /// β empty = the best one, (n − p₀)/(2NC).
  MlpEvidence evidence(std::optional<double> beta = {}, bool with_gradient = true) const;
  MlpMackayStep mackay() const;

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
