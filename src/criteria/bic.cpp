#include "gnomon/criteria/criteria.hpp"
#include "information.hpp"

namespace gnomon {

/// Schwarz's criterion (1978): −2 log L + k log n, k = tr H + 1.
constexpr Criterion bic{.name = "bic",
                        .words = "the Bayesian information criterion",
                        .estimates = "minus twice the log marginal likelihood, in large samples",
                        .target = {.of = Target::Of::log_likelihood},
                        .formula = CountsFormula([](auto a, const Given&) {
                          using std::log;
                          return minus_two_log_likelihood(a) + parameter_count(a) * log(a.n);
                        }),
                        .rests_on_divergence = true};

}  // namespace gnomon
