#include "network_criteria.hpp"

#include <algorithm>

#include "gnomon/adaptive/fper.hpp"
#include "gnomon/adaptive/mlp_tunable.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/learn/mlp_estimates.hpp"
#include "gnomon/learn/mlp_validation.hpp"

namespace gnomon::app {

using adaptive::HyperEstimate;
using Point = FollowedMinimum::Point;

namespace {

/// The value and the exact gradient of an estimate of a network.
template <class Estimate>
HyperEstimate value_and_gradient(const Estimate& estimate) {
  HyperEstimate out;
  out.value = estimate.value.value_or(undefined);
  out.gradient = estimate.gradient;
  return out;
}

}  // namespace

HyperEstimate gen_of(const Point& at, MlpHessian kind) {
  return value_and_gradient(MlpEstimates(at.cost, at.fit.model.w, kind).gen());
}

HyperEstimate evidence_of(const Point& at, MlpHessian kind) {
  return value_and_gradient(MlpEstimates(at.cost, at.fit.model.w, kind).evidence());
}

HyperEstimate fper_of(const Point& at) {
  try {
    return adaptive::fper(adaptive::counted_error(at.cost, at.fit.model.w, true));
  } catch (const Error&) {  // J is not positive definite to working precision
    return {};
  }
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

HyperEstimate FoldError::operator()(const Point& whole) {
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
  HyperEstimate out;
  out.value = sum / count;
  out.gradient = gradient / count;
  return out;
}

}  // namespace gnomon::app
