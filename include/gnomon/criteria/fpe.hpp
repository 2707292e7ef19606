#pragma once

#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

/// Akaike's final prediction error (1970), with the degrees of freedom tr H of a smoother:
///   FPE = (rss/n) (n + tr H)/(n − tr H)
/// Tends to 0 with rss near interpolation, so it chooses among fits with tr H ≤ 0.8 n only.
inline constexpr Criterion fpe{
    .name = "fpe",
    .words = "the final prediction error",
    .estimates = "mean squared prediction error, noise included",
    .formula = CountsFormula([](auto a, const Given&) { return a.rss / a.n * (a.n + a.df) / a.left; }),
    .rests_on_divergence = true,
    .most_df = most_df_in_sample};

}  // namespace gnomon
