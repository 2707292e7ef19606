#include "estimates.hpp"

#include <cblas.h>

#include <cmath>

#include "gnomon/core/error.hpp"

namespace gnomon {

MlpEstimates::MlpEstimates(const MlpCost& cost, const VectorView& w, MlpHessian kind)
    : cost_(cost), w_(w), error_(0), curvature_(cost, w, kind) {
  error_ = cost.error_and_gradient(w, error_gradient_);
  penalty_gradient_ = cost.penalty_gradient(w);
  trouble_ = curvature_.trouble();
  if (curvature_.regular()) inverse_ = curvature_.inverse();
  if (kind == MlpHessian::exact) {
    if (curvature_.positive_definite()) along_ = mlp_weights_along_log_kappa(cost, w, curvature_);
  } else {
    const MlpCurvature exact(cost, w, MlpHessian::exact);
    if (exact.positive_definite()) along_ = mlp_weights_along_log_kappa(cost, w, exact);
    if (trouble_.empty()) trouble_ = exact.trouble();
  }
}

double MlpEstimates::observations() const {
  return static_cast<double>(cost_.rows()) * static_cast<double>(cost_.shape().outputs);
}

MlpEffective MlpEstimates::effective() const {
  if (!curvature_.regular()) fail("effective numbers of parameters: {}", curvature_.trouble());
  const Matrix x = curvature_.solve(curvature_.h());
  MlpEffective out{x.trace(), x.cwiseProduct(x.transpose()).sum(), Vector::Zero(cost_.decay().groups()), 0};
  for (Index i = 0; i < x.rows(); ++i) {
    const int g = cost_.decay().group[std::size_t(i)];
    if (g >= 0) out.gamma[g] += x(i, i);
  }
  out.gamma_total = out.m1;
  return out;
}

DecayEvidence MlpEstimates::decays(bool slopes) const {
  const auto log_determinant = curvature_.log_determinant();
  if (!log_determinant) fail("the evidence: {}", trouble_.empty() ? "the Hessian is singular" : trouble_);
  const MlpDecay& decay = cost_.decay();
  const MlpEffective effective = this->effective();
  DecayEvidence out;
  out.samples = static_cast<double>(cost_.rows());
  out.observations = observations();
  out.weights = static_cast<double>(curvature_.parameters());
  out.unpenalised = out.weights - static_cast<double>(cost_.weights() - decay.free_weights());
  out.training_error = error_;
  out.cost = error_ + cost_.penalty(w_);
  out.log_determinant = *log_determinant;
  out.kappa = decay.kappa;
  out.group_size.resize(decay.groups());
  out.squared_norm.resize(decay.groups());
  for (Index g = 0; g < decay.groups(); ++g) {
    out.group_size[g] = static_cast<double>(decay.size_of(g));
    out.squared_norm[g] = decay.restricted(w_, g).squaredNorm();
  }
  out.gamma = effective.gamma;
  out.gamma_total = effective.gamma_total;
  out.left = out.observations - effective.gamma_total;
  out.likelihood_loss = cost_.loss() != MlpLoss::squared;
  if (slopes && along_)
    out.third = 0.5 * cost_.hessian_contracted_along(w_, {inverse_}, *along_, curvature_.kind()).col(0);
  return out;
}

}  // namespace gnomon
