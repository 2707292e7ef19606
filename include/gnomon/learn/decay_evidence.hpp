#pragma once

#include "gnomon/learn/account.hpp"

namespace gnomon {

/// The evidence of a fit with one decay per group of weights, taken apart as MacKay's updates need it: likelihood ∝
/// exp(−βNS), β = 1/(2σ²), prior ∝ exp(−Σ α_g|w_g|²), α_g = κ_g β N, κ = λ/N against the mean loss S, C = S + Σ κ_g|w_g|²
/// the cost with the Hessian J at its minimum ŵ.
struct DecayEvidence {
  double samples = 0, observations = 0;                 ///< N, n
  double weights = 0, unpenalised = 0;                  ///< p, p₀
  double training_error = undefined, cost = undefined;  ///< S, C
  double log_determinant = undefined;                   ///< log|J|
  Vector kappa, group_size;                             ///< κ_g, m_g
  Vector squared_norm;                                  ///< |ŵ_g|²
  Vector gamma;                    ///< γ_g = tr(P_g J⁻¹ H), the well-determined weights of the group
  double gamma_total = undefined;  ///< tr(HJ⁻¹) = Σγ_g + p₀
  double left = undefined;         ///< n − γ, formed without cancellation
  Vector third;                    ///< ½κ_g tr(J⁻¹D³S[dŵ/dκ_g]); empty = zero, a linear model
  bool likelihood_loss = false;    ///< β = 1, no noise constant
};

/// The account that the criterion `evidence` is a formula of. With p = Σm_g + p₀ and unpenalised weights with a flat prior of
/// density 1, −2 log p = 2βNC + log|J| + p log(βN/2π) − Σ m_g log(α_g/π) + n log(π/β) leaves
///   quadratic = NC,   log_determinant = log|J| − Σ m_g log 2κ_g + p₀ log(N/2),
/// and for β = 1 without a noise constant log|J| + p log(N/2π) − Σ m_g log(κ_g N/π). +∞ where a κ_g is 0.
/// Slopes by log κ: NC has κ_g N|ŵ_g|², since ŵ is stationary; the determinant −γ_g (+ 2 third). Without gamma: none.
EvidenceParts evidence_account(const DecayEvidence&);

/// The best β at these κ, (n − p₀)/(2NC); 1 for a likelihood loss. Capped at 1e300 where the cost vanishes.
double best_beta(const DecayEvidence&);

}  // namespace gnomon
