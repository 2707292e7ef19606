#include "gnomon/learn/filters.hpp"

#include <cmath>

namespace gnomon {

/// Landweber iteration (gradient descent on the residual, step 1/(2d₁)) stopped after t = 2d₁/λ iterations:
///   complement (1 − d/(2d₁))^t,   gain (1 − complement)/d → t/(2d₁) = 1/λ as d → 0.
/// t is taken as a real number, so that λ moves on a continuous scale like every other regularization
/// parameter.
constexpr Filter landweber{.name = "landweber",
                           .value = [](double d, double lambda, double top) -> FilterValue {
                             if (lambda == 0) return {1 / d, 0};
                             if (!(d > 0 && top > 0)) return {1 / lambda, 1};
                             const double log_complement = 2 * top / lambda * std::log1p(-d / (2 * top));
                             return {-std::expm1(log_complement) / d, std::exp(log_complement)};
                           },
                           .log_prior_ratio = nullptr,
                           .shift = Shift::none,
                           .whole_range = false,
                           .closed_form_deletion = false};

}  // namespace gnomon
