#pragma once

#include "gnomon/criteria/information.hpp"

namespace gnomon {

/// Akaike's information criterion (1973): −2 log L + 2k, k = tr H + 1.
inline constexpr Criterion aic{.name = "aic",
                               .estimates = "minus twice the expected log-likelihood of new data",
                               .kind = log_likelihood_kind,
                               .needs_noise = false,
                               .needs_leave_one_out = false,
                               .undefined_for = needs_degrees_of_freedom,
                               .evaluate = [](const CriterionContext& c) {
                                 return at_each_lambda(c, [](const SpectralSums& s, double, double n) {
                                   const double k = parameter_count(s);
                                   return Estimate{minus_two_log_likelihood(s, n) + 2 * k};
                                 });
                               }};

}  // namespace gnomon
