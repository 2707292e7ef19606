#pragma once

#include <optional>

#include "reference/counted_error.hpp"

namespace gnomon::reference {

/// Moody's generalized prediction error S + 2σ²m₁/N. Without a noise variance σ̂² = NS/(n − m₁), which makes it
/// S(n + m₁)/(n − m₁) (+∞ where γ → n). With σ² known it is Mallows' Cp and SURE; up to a constant also SIC with
/// the metric X'X/N. For several outputs σ² is per observation.
HyperEstimate gpe(const CountedError&, std::optional<double> noise_variance = {});

/// S/(1 − m₁/n)². +∞ where γ → n.
HyperEstimate gcv(const CountedError&);

}  // namespace gnomon::reference
