#pragma once

#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

/// K-fold cross-validation, repeated with fresh folds: the mean over folds of the fold's (weighted) mean
/// squared error; standard error from the spread of the folds, sd/√K (repeats share the data and do not
/// shrink it).
inline constexpr Criterion cv{
    .name = "cv",
    .estimates = "mean squared prediction error, noise included",
    .kind = prediction_kind,
    .needs_noise = false,
    .needs_leave_one_out = false,
    .undefined_for = [](const Smoother& s, const Metric&) -> std::string {
      return s.rows() < 2 ? "cross-validation needs two rows" : "";
    },
    .evaluate =
        [](const CriterionContext& c) {
          const int k = static_cast<int>(std::min<Index>(c.folds, c.smoother.rows()));
          const Index m = static_cast<Index>(c.lambdas.size());
          Matrix means(static_cast<Index>(k) * c.repeats, m);
          for (int r = 0; r < c.repeats; ++r) {
            c.progress("cross-validating", static_cast<double>(r) / c.repeats);
            const Folds folds = random_folds(c.smoother.rows(), k, c.seed, static_cast<std::uint64_t>(r));
            const FoldErrors errors = c.smoother.fold_errors(c.lambdas, c.target, folds, c.progress);
            means.middleRows(static_cast<Index>(r) * k, k) =
                errors.sums.array().colwise() / errors.weights.array();
          }
          CriterionCurve curve{means.colwise().mean().transpose(), Vector(m), {}};
          for (Index j = 0; j < m; ++j) {
            const double variance = (means.col(j).array() - curve.value[j]).square().sum() /
                                    static_cast<double>(means.rows() - 1);
            curve.standard_error[j] = std::sqrt(variance / k);
          }
          return curve;
        }};

}  // namespace gnomon
