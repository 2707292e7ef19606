#pragma once

#include "gnomon/criteria/information.hpp"

namespace gnomon {

/// Schwarz's criterion (1978): −2 log L + k log n, k = tr H + 1.
inline constexpr Criterion bic{.name = "bic",
                               .estimates = "minus twice the log marginal likelihood, in large samples",
                               .kind = log_likelihood_kind,
                               .needs_noise = false,
                               .needs_leave_one_out = false,
                               .undefined_for = needs_degrees_of_freedom,
                               .evaluate = [](const CriterionContext& c) {
                                 return at_each_lambda(c, [](const SpectralSums& s, double, double n) {
                                   const double k = parameter_count(s);
                                   return Estimate{minus_two_log_likelihood(s, n) + k * std::log(n)};
                                 });
                               }};

}  // namespace gnomon
