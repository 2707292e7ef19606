#pragma once

#include "gnomon/criteria/fpe.hpp"
#include "gnomon/criteria/gen.hpp"

namespace gnomon {

/// Moody's generalized prediction error (1992), S + 2σ̂²m₁/n with σ̂² = rss/(n − m₁) at each λ:
///   GPE = (rss/n) (n + m₁)/(n − m₁),     m₁ = tr H
/// The same number as `fpe`, which takes tr H for the count of parameters too; Huber: m₁ = Σ ∂f_i/∂y_i.
inline constexpr Criterion gpe{.name = "gpe",
                               .estimates = "mean squared prediction error, noise included",
                               .kind = prediction_kind,
                               .needs_noise = false,
                               .needs_leave_one_out = false,
                               .undefined_for = needs_smooth_cost,
                               .evaluate = fpe.evaluate,
                               .most_df = most_df_in_sample};

}  // namespace gnomon
