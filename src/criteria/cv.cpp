#include "gnomon/criteria/cv.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"

namespace gnomon {

std::string no_cross_validation(const Learner& learner) {
  if (learner.solved() && !learner.solved()->has_inputs())
    return "a black box cannot be refitted on other rows; use basic or sure";
  return learner.rows() < 2 ? "cross-validation needs two rows" : "";
}

namespace {

/// Mean over all folds of the folds' means, and its standard error from their spread; `folds` per repeat.
CriterionCurve from_fold_means(const Matrix& means, int folds) {
  const Index m = means.cols();
  CriterionCurve curve{means.colwise().mean().transpose(), Vector(m), {}};
  for (Index j = 0; j < m; ++j) {
    const double variance =
        (means.col(j).array() - curve.value[j]).square().sum() / static_cast<double>(means.rows() - 1);
    curve.standard_error[j] = std::sqrt(variance / folds);
  }
  return curve;
}

Matrix fold_means(const CriterionContext& c, const Folds& folds, bool importance) {
  const FoldErrors errors = c.learner.fold_errors(c.lambdas, c.target, folds, c.progress);
  const Matrix& sums = importance ? errors.importance_sums : errors.sums;
  require(sums.size() > 0, "iwcv needs a learner with importance weights");
  return sums.array().colwise() / errors.weights.array();
}

}  // namespace

CriterionCurve cross_validation(const CriterionContext& c, bool importance) {
  const int k = static_cast<int>(std::min<Index>(c.folds, c.learner.rows()));
  Matrix means(static_cast<Index>(k) * c.repeats, static_cast<Index>(c.lambdas.size()));
  for (int r = 0; r < c.repeats; ++r) {
    c.progress("cross-validating", static_cast<double>(r) / c.repeats);
    const Folds folds = random_folds(c.learner.rows(), k, c.seed, static_cast<std::uint64_t>(r));
    means.middleRows(static_cast<Index>(r) * k, k) = fold_means(c, folds, importance);
  }
  return from_fold_means(means, k);
}

CriterionCurve blocked_cross_validation(const CriterionContext& c) {
  const int k = static_cast<int>(std::min<Index>(c.folds, c.learner.rows()));
  return from_fold_means(fold_means(c, blocked_folds(c.learner.rows(), k), false), k);
}

}  // namespace gnomon
