#pragma once

#include "gnomon/adaptive/estimate.hpp"

namespace gnomon::adaptive {

/// What the evidence of a trained model at κ is made of: likelihood ∝ exp(−βNS), β = 1/(2σ²), prior ∝
/// exp(−Σ α_g|w_g|²), α_g = κ_g β N, Gaussian approximation at ŵ (exact for a linear model with squared error).
struct EvidenceParts {
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

/// −log p = βNC + ½log|J| + (p/2)log(βN/2π) − Σ(m_g/2)log(α_g/π) + (n/2)log(π/β), unpenalised weights with a flat
/// prior of density 1. Gradient in log κ at this β: κ_gβN|ŵ_g|² − γ_g/2 (+ third), empty without
/// gamma. +∞ where a κ_g is 0.
HyperEstimate negative_log_evidence(const EvidenceParts&, double beta);
/// The best β at these κ, (n − p₀)/(2NC); 1 for a likelihood loss. Capped at 1e300 where the cost vanishes.
double best_beta(const EvidenceParts&);
/// At the best β.
HyperEstimate profiled_evidence(const EvidenceParts&);

}  // namespace gnomon::adaptive
