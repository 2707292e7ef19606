#include "gnomon/learn/filters.hpp"

namespace gnomon {

/// Spectral cut-off (principal-component regression in the span of the Gram): least squares on the
/// eigendirections with d ≥ λ, nothing on the others.
constexpr Filter spectral_cutoff{.name = "spectral-cutoff",
                                 .value = [](double d, double lambda, double) -> FilterValue {
                                   return d >= lambda ? FilterValue{1 / d, 0} : FilterValue{0, 1};
                                 },
                                 .log_prior_ratio = nullptr,
                                 .shift = Shift::none,
                                 .whole_range = false,
                                 .closed_form_deletion = false};

}  // namespace gnomon
