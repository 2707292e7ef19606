#pragma once

#include "gnomon/criteria/information.hpp"

namespace gnomon {

/// AIC corrected for small samples (Hurvich, Simonoff & Tsai 1998): −2 log L + 2k n/(n − k − 1), k = tr H
/// + 1. Undefined where n ≤ k + 1.
inline constexpr Criterion aicc{
    .name = "aicc",
    .estimates = "minus twice the expected log-likelihood of new data, small-sample form",
    .kind = log_likelihood_kind,
    .needs_noise = false,
    .needs_leave_one_out = false,
    .undefined_for = needs_degrees_of_freedom,
    .evaluate = [](const CriterionContext& c) {
      return at_each_lambda(c, [](const SpectralSums& s, double, double n) {
        const double k = parameter_count(s);
        return Estimate{minus_two_log_likelihood(s, n) +
                        (n - k - 1 > 0 ? 2 * k * n / (n - k - 1) : undefined)};
      });
    }};

}  // namespace gnomon
