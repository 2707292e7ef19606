#include "gnomon/learn/filters.hpp"

#include <cmath>

namespace gnomon {

/// Kernel ridge with penalty λ‖α‖² on the coefficients (Sugiyama & Müller 2002):
///   α = (K² + λI)⁻¹ K y,   gain d/(d²+λ),   complement λ/(d²+λ).
constexpr Filter coefficient_tikhonov{
    .name = "coefficient-tikhonov",
    .value = [](double d, double lambda, double) -> FilterValue {
      const double m = d * d + lambda;
      return m > 0 ? FilterValue{d / m, lambda / m} : FilterValue{1 / d, 0};  // d² may underflow at λ = 0
    },
    .log_prior_ratio = [](double d, double lambda) { return log_one_plus_ratio(d * d, lambda); },
    .shift = Shift::squared,
    .whole_range = true,
    .closed_form_deletion = true};

}  // namespace gnomon
