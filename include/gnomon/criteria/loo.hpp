#pragma once

#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

/// Leave-one-out cross-validation in closed form (Allen 1974): mean of (r_i/(1 − H_ii))², with the standard
/// error of that mean. Equals refitting n times. O(n·rank) per λ. A weight is a count: one unit of it is left
/// out at a time.
inline constexpr Criterion loo{
    .name = "loo",
    .estimates = "mean squared prediction error, noise included",
    .kind = prediction_kind,
    .needs_noise = false,
    .needs_leave_one_out = true,
    .undefined_for = [](const Smoother& s, const Metric&) -> std::string {
      if (s.rows() < 2) return "leaving out the only row leaves nothing to learn from";
      return s.filter().closed_form_deletion ? "" : "refitting has no closed form; use cv:K";
    },
    .evaluate =
        [](const CriterionContext& c) {
          const ErrorPath path = c.smoother.leave_one_out(c.lambdas, c.target);
          return CriterionCurve{path.value, path.standard_error, {}};
        }};

}  // namespace gnomon
