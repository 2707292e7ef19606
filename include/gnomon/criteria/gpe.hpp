#pragma once

#include "gnomon/criteria/fpe.hpp"

namespace gnomon {

/// Moody's generalized prediction error (1992), S + 2σ̂²m₁/n with σ̂² = rss/(n − m₁) at each λ:
///   GPE = (rss/n) (n + m₁)/(n − m₁),     m₁ = tr H
/// The same number as `fpe`, which takes tr H for the count of parameters too; Huber: m₁ = Σ ∂f_i/∂y_i.
inline constexpr Criterion gpe{.name = "gpe",
                               .words = "the generalized prediction error",
                               .estimates = fpe.estimates,
                               .formula = fpe.formula,
                               .needs_cost = true,
                               .rests_on_divergence = true,
                               .most_df = fpe.most_df};

}  // namespace gnomon
