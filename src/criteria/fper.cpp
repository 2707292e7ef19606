#include "gnomon/criteria/criteria.hpp"
#include "no_shift.hpp"

namespace gnomon {

/// The final prediction error of a regularized model, m₁ = tr H, m₂ = tr H²:
///   FPER = (rss/n) (n + m₂)/(n − 2m₁ + m₂)
/// The name is Larsen and Hansen's (1994); the formula is derived here and not taken from them, from
/// E rss/n = σ²(1 − (2m₁ − m₂)/n) and an error of σ²(1 + m₂/n): a complete model, the bias neglected. With Σg² = n − 2m₁ + m₂ the upper
/// factor is 2m₁ + Σg²: nothing cancels. For Huber, H is the derivative of the fit in y.
/// Chooses among fits with m₁ ≤ 0.8 n only: it tends to a ratio of vanishing numbers near interpolation.
constexpr Criterion fper{.name = "fper",
                         .words = "the final prediction error for regularized models",
                         .estimates = "mean squared prediction error, noise included",
                         .formula = CountsFormula([](auto a, const Given&) {
                           return a.rss / a.n * (2 * a.df + a.left_squared) / a.left_squared;
                         }),
                         .needs_squares = true,
                         .needs_cost = true,
                         .rests_on_divergence = true,
                         .most_df = most_df_in_sample,
                         .refuses = no_shift};

}  // namespace gnomon
