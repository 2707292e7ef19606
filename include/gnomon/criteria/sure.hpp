#pragma once

#include "gnomon/criteria/cp.hpp"

namespace gnomon {

/// Stein's unbiased risk estimate (1981) of the in-sample risk (1/n) E‖f̂ − f‖²: for a linear smoother
///   SURE = rss/n − σ² + 2σ² tr H/n = C_L − σ².
inline constexpr Criterion sure{
    .name = "sure",
    .estimates = "mean squared error of the fitted function at the training inputs, noise excluded",
    .kind = prediction_kind,
    .needs_noise = true,
    .needs_leave_one_out = false,
    .undefined_for = needs_degrees_of_freedom,
    .evaluate = [](const CriterionContext& c) {
      return at_each_lambda(c, [](const SpectralSums& s, double sigma2, double n) {
        Estimate e = mallows(s, sigma2, n);
        e.value -= sigma2;
        return e;
      });
    }};

}  // namespace gnomon
