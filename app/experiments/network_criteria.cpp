#include "network_criteria.hpp"

#include <algorithm>

#include "gnomon/core/error.hpp"
#include "gnomon/criteria/criteria.hpp"
#include "learn/mlp/counted.hpp"
#include "learn/mlp/estimates.hpp"
#include "learn/mlp/validation.hpp"

namespace gnomon::app {

using Point = FollowedMinimum::Point;

namespace {

/// Of one account, nothing where the learner cannot give it.
template <class FormulaType, class Make>
Estimate judged(const Formula& formula, const Make& make) {
  try {
    return estimate_of(std::get<FormulaType>(formula), make(), {}, true);
  } catch (const Error&) {  // J is not positive definite to working precision
    return {};
  }
}

}  // namespace

Estimate gen_of(const Point& at, MlpHessian kind) {
  const MlpEstimates estimates(at.cost, at.fit.model.w, kind);
  return judged<ScoresFormula>(gen.formula, [&] { return estimates.scores().account; });
}

Estimate evidence_of(const Point& at, MlpHessian kind) {
  const MlpEstimates estimates(at.cost, at.fit.model.w, kind);
  Estimate half =
      judged<EvidenceFormula>(evidence.formula, [&] { return evidence_account(estimates.decays()); });
  half.value *= 0.5;
  half.gradient *= 0.5;
  return half;
}

Estimate fper_of(const Point& at) {
  return judged<CountsFormula>(fper.formula, [&] { return network_counts(at.cost, at.fit.model.w, true); });
}

FoldError::FoldError(const MlpCost& cost, const std::vector<std::vector<Index>>& folds,
                     const MlpTrainOptions& options) {
  for (const auto& held : folds) {
    std::vector<Index> kept;
    for (Index k = 0; k < cost.rows(); ++k) {
      if (!std::binary_search(held.begin(), held.end(), k)) kept.push_back(k);
    }
    networks_.emplace_back(cost.on_rows(kept), options);
    held_.push_back(cost.on_rows(held));
  }
}

Estimate FoldError::operator()(const Point& whole) {
  double sum = 0;
  Vector gradient = Vector::Zero(whole.theta.size());
  for (std::size_t j = 0; j < held_.size(); ++j) {
    const Point& at = networks_[j].at(whole.theta, whole.fit.model.w);
    if (!at.is_minimum()) return {};
    const MlpValidation error = mlp_validation(at.cost, at.fit.model.w, held_[j]);
    if (!error.value || error.gradient.size() == 0) return {};
    sum += *error.value;
    gradient += error.gradient;
  }
  const double count = static_cast<double>(held_.size());
  Estimate out;
  out.value = sum / count;
  out.gradient = gradient / count;
  return out;
}

}  // namespace gnomon::app
