#include "gnomon/criteria/criteria.hpp"

namespace gnomon {

/// Importance-weighted leave-one-out: with r_i = p_test/p_train and e_i the error at row i of a fit without it, in closed form
/// (e_i = residual/(1 − leverage) for weighted least squares),
///
///   IWLOO = Σ r e² / Σ r.
///
/// The limit of iwcv with one row in a fold; no folds, no seed, no noise variance. Neighbouring exponents of the weights err alike, so
/// that the least value is often least by chance: among exponents the *smallest* is taken whose value is within 0.3 standard
/// errors of the difference of the least one (src/select/smallest_exponent.hpp). Cost: leverages.
constexpr Criterion iwloo{
    .name = "iwloo",
    .words = "importance-weighted leave-one-out",
    .estimates = "mean squared prediction error at the test inputs, noise included",
    .target = {.where = Target::Where::at_test_inputs},
    .formula = LeftOutByImportance{},
    .refuses = [](const Learner& learner, const Metric& metric) -> std::string {
      return learner.is_shifted()
                 ? learner.lacks(Account::scores, metric)
                 : "it needs importance weights: `importance`, or `learner` iwls with a weight column";
    }};

}  // namespace gnomon
