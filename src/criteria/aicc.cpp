#include "gnomon/criteria/criteria.hpp"
#include "information.hpp"

namespace gnomon {

/// AIC corrected for small samples (Hurvich, Simonoff & Tsai 1998): −2 log L + 2k n/(n − k − 1), k = tr H
/// + 1. Undefined where n ≤ k + 1.
constexpr Criterion aicc{
    .name = "aicc",
    .words = "Akaike's information criterion, corrected",
    .estimates = "minus twice the expected log-likelihood of new data, small-sample form",
    .target = {.of = Target::Of::log_likelihood},
    .formula = CountsFormula([](auto a, const Given&) {
      const auto k = parameter_count(a), left = a.n - k - 1;
      const auto correction = 2 * k * a.n / left;
      return minus_two_log_likelihood(a) +
             (value_of(left) > 0 ? correction : decltype(correction)(undefined));
    }),
    .rests_on_divergence = true};

}  // namespace gnomon
