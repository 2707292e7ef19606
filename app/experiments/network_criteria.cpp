#include "network_criteria.hpp"

#include <algorithm>

#include "gnomon/adaptive/fper.hpp"
#include "gnomon/adaptive/trained_model.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/learn/mlp_estimates.hpp"
#include "gnomon/learn/mlp_validation.hpp"

namespace gnomon::app {

using adaptive::HyperEstimate;
using Point = FollowedMinimum::Point;

HyperEstimate gen_of(const Point& at, MlpHessian kind) {
  const MlpEstimates estimates(at.cost, at.fit.model.w, kind);
  const MlpGen gen = estimates.gen();
  HyperEstimate out;
  out.value = gen.value.value_or(undefined);
  out.gradient = gen.gradient;
  return out;
}

HyperEstimate evidence_of(const Point& at, MlpHessian kind) {
  const MlpEstimates estimates(at.cost, at.fit.model.w, kind);
  const MlpEvidence evidence = estimates.evidence();
  HyperEstimate out;
  out.value = evidence.value.value_or(undefined);
  out.gradient = evidence.gradient;
  return out;
}

HyperEstimate fper_of(const Point& at) {
  const Vector& w = at.fit.model.w;
  adaptive::TrainedModel model;
  model.samples = model.observations = at.cost.rows();
  model.training_error = at.fit.error;
  model.weights = w;
  model.hessian = at.cost.error_hessian(w, MlpHessian::gauss_newton);
  model.exact_hessian = at.cost.error_hessian(w, MlpHessian::exact);
  model.hessian_derivative = [&](const Vector& along) {
    return at.cost.error_hessian_along(w, along, MlpHessian::gauss_newton);
  };
  const auto penalty = adaptive::Penalty::decay(at.cost.decay().group);
  const Vector& kappa = at.cost.decay().kappa;
  try {
    const adaptive::Curvature curvature(model, penalty, kappa);
    return adaptive::fper(adaptive::counted_error(model, penalty, kappa, curvature));
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
