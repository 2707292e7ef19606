#pragma once

#include "gnomon/learn/decay_evidence.hpp"
#include "reference/estimate.hpp"

namespace gnomon::reference {

/// −log p = βNC + ½log|J| + (p/2)log(βN/2π) − Σ(m_g/2)log(α_g/π) + (n/2)log(π/β), unpenalised weights with a flat
/// prior of density 1. Gradient in log κ at this β: κ_gβN|ŵ_g|² − γ_g/2 (+ third), empty without
/// gamma. +∞ where a κ_g is 0.
HyperEstimate negative_log_evidence(const DecayEvidence&, double beta);
/// At the best β. There κ_gβN|ŵ_g|² = ½ρ_g(n − p₀)(1 − S/C), ρ_g the share of the group in the penalty, so that with n − p₀ =
/// left + Σγ the gradient is ½ρ_g[left − (n − p₀)S/C] + ½(ρ_gΣγ − γ_g). This form is taken where more is used than left: for κ → 0
/// and N ≤ p both terms above tend to n/2.
HyperEstimate profiled_evidence(const DecayEvidence&);

}  // namespace gnomon::reference
