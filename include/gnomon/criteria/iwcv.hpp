#pragma once

#include "gnomon/criteria/cv.hpp"

namespace gnomon {

/// Importance-weighted cross-validation (Sugiyama, Krauledat & Müller 2007): K-fold cross-validation with every held-out
/// squared error times w_i = p_test/p_train (not the flattened weight of the fit). Almost unbiased for the error at the test
/// inputs; its values scale with w, its minimum does not.
inline constexpr Criterion iwcv{
    .name = "iwcv",
    .estimates = "mean squared prediction error at the test inputs, noise included",
    .kind = prediction_kind,
    .needs_noise = false,
    .needs_leave_one_out = false,
    .undefined_for = [](const Learner& learner, const Metric&) -> std::string {
      if (!learner.solved() || learner.solved()->importance().size() == 0)
        return "it needs importance weights: --test FILE with --weights kliep, ulsif, …, or --learner iwls "
               "with a weight "
               "column";
      return no_cross_validation(learner);
    },
    .evaluate = [](const CriterionContext& c) { return cross_validation(c, true); }};

}  // namespace gnomon
