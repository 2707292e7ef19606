#pragma once

#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

/// Mallows' C_L: the in-sample prediction error (Mallows 1973),
///   C_L = (rss + 2σ² tr H)/n,     E C_L = (1/n) E‖f̂ − f‖² + σ².
/// Exactly unbiased for every fixed linear smoother and any noise law with known σ².
inline Estimate mallows(const SpectralSums& s, double sigma2, double n) {
  return {(s.z2g2 + 2 * sigma2 * s.df) / n, quadratic_form_deviation(s.g4, s.z2g4, sigma2) / n};
}

inline constexpr Criterion cp{
    .name = "cp",
    .estimates = "mean squared prediction error at the training inputs, noise included",
    .kind = prediction_kind,
    .needs_noise = true,
    .needs_leave_one_out = false,
    .undefined_for = needs_degrees_of_freedom,
    .evaluate = [](const CriterionContext& c) { return at_each_lambda(c, mallows); }};

}  // namespace gnomon
