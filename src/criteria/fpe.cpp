#include "gnomon/criteria/criteria.hpp"
#include "no_shift.hpp"

namespace gnomon {

/// Akaike's final prediction error (1970), with the degrees of freedom tr H of a smoother:
///   FPE = (rss/n) (n + tr H)/(n − tr H)
/// Tends to 0 with rss near interpolation, so it chooses among fits with tr H ≤ 0.8 n only.
constexpr Criterion fpe{
    .name = "fpe",
    .words = "the final prediction error",
    .estimates = "mean squared prediction error, noise included",
    .formula = CountsFormula([](auto a, const Given&) { return a.rss / a.n * (a.n + a.df) / a.left; }),
    .rests_on_divergence = true,
    .most_df = most_df_in_sample};

/// Moody's generalized prediction error (1992), S + 2σ̂²m₁/n with σ̂² = rss/(n − m₁) at each λ:
///   GPE = (rss/n) (n + m₁)/(n − m₁),     m₁ = tr H
/// The same number as `fpe`, which takes tr H for the count of parameters too; Huber: m₁ = Σ ∂f_i/∂y_i.
constexpr Criterion gpe{.name = "gpe",
                        .words = "the generalized prediction error",
                        .estimates = fpe.estimates,
                        .formula = fpe.formula,
                        .needs_cost = true,
                        .rests_on_divergence = true,
                        .most_df = fpe.most_df,
                        .equal_to = "fpe",

                        .refuses = no_shift};

}  // namespace gnomon
