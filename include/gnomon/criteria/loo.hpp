#pragma once

#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

/// Leave-one-out cross-validation: the mean of squared errors at the row left out, with the standard error of that
/// mean. For smoothers in closed form (Allen 1974), (r_i/(1 − H_ii))², O(n·rank) per λ; a weight is a count, one unit
/// of which is left out at a time. For other learners by n refits.
inline constexpr Criterion loo{.name = "loo",
                               .estimates = "mean squared prediction error, noise included",
                               .kind = prediction_kind,
                               .needs_noise = false,
                               .needs_leave_one_out = true,
                               .undefined_for = [](const Learner& learner, const Metric&) -> std::string {
                                 if (learner.rows() < 2)
                                   return "leaving out the only row leaves nothing to learn from";
                                 return learner.no_leave_one_out();
                               },
                               .evaluate =
                                   [](const CriterionContext& c) {
                                     const ErrorPath path =
                                         c.learner.leave_one_out(c.lambdas, c.target, c.progress);
                                     return CriterionCurve{path.value, path.standard_error, {}};
                                   }};

}  // namespace gnomon
