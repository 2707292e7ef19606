#pragma once

#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

/// K-fold cross-validation, repeated with fresh folds: the mean over folds of the fold's (weighted) mean
/// squared error; standard error from the spread of the folds, sd/√K (repeats share the data and do not
/// shrink it). `importance`: every held-out error times its density ratio.
CriterionCurve cross_validation(const CriterionContext&, bool importance);

/// The same once, with folds of consecutive rows.
CriterionCurve blocked_cross_validation(const CriterionContext&);

/// Why there is none, or an empty text.
std::string no_cross_validation(const Learner&);

inline constexpr Criterion cv{
    .name = "cv",
    .estimates = "mean squared prediction error, noise included",
    .kind = prediction_kind,
    .needs_noise = false,
    .needs_leave_one_out = false,
    .undefined_for = [](const Learner& learner, const Metric&) { return no_cross_validation(learner); },
    .evaluate = [](const CriterionContext& c) { return cross_validation(c, false); }};

}  // namespace gnomon
