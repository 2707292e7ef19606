#pragma once

#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

/// Akaike's final prediction error (1970), with the degrees of freedom tr H of a smoother:
///   FPE = (rss/n) (n + tr H)/(n − tr H)
/// Tends to 0 with rss near interpolation, so it chooses among fits with tr H ≤ 0.8 n only.
inline constexpr Criterion fpe{.name = "fpe",
                               .estimates = "mean squared prediction error, noise included",
                               .kind = prediction_kind,
                               .needs_noise = false,
                               .needs_leave_one_out = false,
                               .undefined_for = needs_degrees_of_freedom,
                               .evaluate =
                                   [](const CriterionContext& c) {
                                     return at_each_lambda(c, [](const SpectralSums& s, double, double n) {
                                       return Estimate{s.z2g2 / n * (n + s.df) / s.g};
                                     });
                                   },
                               .most_df = most_df_in_sample};

}  // namespace gnomon
