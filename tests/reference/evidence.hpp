#pragma once

#include "gnomon/learn/decay_evidence.hpp"
#include "reference/estimate.hpp"

namespace gnomon::reference {

/// −log p = βNC + ½log|J| + (p/2)log(βN/2π) − Σ(m_g/2)log(α_g/π) + (n/2)log(π/β), unpenalised weights with a flat
/// prior of density 1. Gradient in log κ at this β: κ_gβN|ŵ_g|² − γ_g/2 (+ third), empty without
/// gamma. +∞ where a κ_g is 0.
HyperEstimate negative_log_evidence(const DecayEvidence&, double beta);
/// At the best β.
HyperEstimate profiled_evidence(const DecayEvidence&);

}  // namespace gnomon::reference
