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

CriterionCurve cross_validation(const CriterionContext& c, bool importance) {
  const int k = static_cast<int>(std::min<Index>(c.folds, c.learner.rows()));
  const Index m = static_cast<Index>(c.lambdas.size());
  Matrix means(static_cast<Index>(k) * c.repeats, m);
  for (int r = 0; r < c.repeats; ++r) {
    c.progress("cross-validating", static_cast<double>(r) / c.repeats);
    const Folds folds = random_folds(c.learner.rows(), k, c.seed, static_cast<std::uint64_t>(r));
    const FoldErrors errors = c.learner.fold_errors(c.lambdas, c.target, folds, c.progress);
    const Matrix& sums = importance ? errors.importance_sums : errors.sums;
    require(sums.size() > 0, "iwcv needs a learner with importance weights");
    means.middleRows(static_cast<Index>(r) * k, k) = sums.array().colwise() / errors.weights.array();
  }
  CriterionCurve curve{means.colwise().mean().transpose(), Vector(m), {}};
  for (Index j = 0; j < m; ++j) {
    const double variance =
        (means.col(j).array() - curve.value[j]).square().sum() / static_cast<double>(means.rows() - 1);
    curve.standard_error[j] = std::sqrt(variance / k);
  }
  return curve;
}

}  // namespace gnomon
