#pragma once

#include "reference/counted_error.hpp"

namespace gnomon::reference {

/// FPE for regularized models, S(n + m₂)/(n − 2m₁ + m₂), from E S = σ²(1 − (2m₁ − m₂)/N) and Γ = σ²(1 + m₂/N): a
/// complete model whose bias is neglected. +∞ where nothing is left of n; warns for γ > 0.8 n.
HyperEstimate fper(const CountedError&);

}  // namespace gnomon::reference
