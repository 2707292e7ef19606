#pragma once

#include "gnomon/criteria/criterion.hpp"
#include "gnomon/noise/evidence_scale.hpp"

namespace gnomon {

/// The marginal likelihood as a criterion; see minus_two_log_evidence for the formula.
inline constexpr Criterion evidence{
    .name = "evidence",
    .estimates = "minus twice the log marginal likelihood (no prediction error)",
    .kind = [](const Metric&) { return ErrorKind::log_evidence; },
    .needs_noise = false,
    .needs_leave_one_out = false,
    .undefined_for = [](const Learner& learner, const Metric&) -> std::string {
      return learner.linear() && learner.linear()->filter().log_prior_ratio
                 ? ""
                 : "its fit is not the posterior mean of a Gaussian model";
    },
    .evaluate =
        [](const CriterionContext& c) {
          const double fixed = c.learner.intercept() ? 1 : 0;
          return at_each_lambda(c, [fixed](const SpectralSums& s, double, double n) {
            return Estimate{minus_two_log_evidence(s, n, fixed)};
          });
        }};

}  // namespace gnomon
