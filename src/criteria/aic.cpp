#include "gnomon/criteria/criteria.hpp"
#include "information.hpp"

namespace gnomon {

/// Akaike's information criterion (1973): −2 log L + 2k, k = tr H + 1.
constexpr Criterion aic{.name = "aic",
                        .words = "Akaike's information criterion",
                        .estimates = "minus twice the expected log-likelihood of new data",
                        .target = {.of = Target::Of::log_likelihood},
                        .formula = CountsFormula([](auto a, const Given&) {
                          return minus_two_log_likelihood(a) + 2 * parameter_count(a);
                        }),
                        .rests_on_divergence = true};

}  // namespace gnomon
