#pragma once

#include <span>

#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

/// What a criterion may need beside the learner; selection fills it from the data, others may name it.
struct JudgeOptions {
  double sigma2 = undefined;  ///< noise variance; criteria that need it are undefined without
  Metric metric{Metric::Kind::train, {}, "train"};
  Index target = 0;
  double pilot_lambda = undefined;  ///< of rsic and sic-pilot; NaN: the one with the least GCV
  int folds = 10, repeats = 1;      ///< of cross-validation
  std::uint64_t seed = 0;
  BootstrapOptions bootstrap{};
  int lags = 0;        ///< of gen
  RowGroups groups{};  ///< of cross-validation: rows that are held out together
};

/// One criterion of one learner along λ (ascending): `judge(learner, sure, lambdas, {.sigma2 = 0.1}).value`.
/// Throws if the criterion is not defined for the learner.
CriterionCurve judge(const Learner& learner, const Criterion& criterion, std::span<const double> lambdas,
                     const JudgeOptions& options = {}, const Progress& progress = {});

}  // namespace gnomon
