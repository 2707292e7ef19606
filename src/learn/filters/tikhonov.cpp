#include "gnomon/learn/filters.hpp"

#include <cmath>

namespace gnomon {

/// Ridge, and kernel ridge with penalty λ αᵀKα (the squared RKHS norm of the function):
///   α = (K + λI)⁻¹ y,   gain 1/(d+λ),   complement λ/(d+λ).
constexpr Filter tikhonov{
    .name = "tikhonov",
    .value = [](double d, double lambda, double) -> FilterValue {
      return {1 / (d + lambda), lambda / (d + lambda)};
    },
    .log_prior_ratio = [](double d, double lambda) { return log_one_plus_ratio(d, lambda); },
    .shift = Shift::plain,
    .whole_range = false,
    .closed_form_deletion = true};

}  // namespace gnomon
