#pragma once

#include "gnomon/criteria/cv.hpp"

namespace gnomon {

/// K-fold cross-validation with folds of consecutive rows, for data whose order carries dependence (time series): with random
/// folds the neighbours of a held-out row give it away. Repeats would be the same folds again.
inline constexpr Criterion cv_blocked{
    .name = "cv-blocked",
    .estimates = "mean squared prediction error, noise included",
    .kind = prediction_kind,
    .needs_noise = false,
    .needs_leave_one_out = false,
    .undefined_for = [](const Learner& learner, const Metric&) { return no_cross_validation(learner); },
    .evaluate = [](const CriterionContext& c) { return blocked_cross_validation(c); }};

}  // namespace gnomon
