#include "gnomon/learn/mlp_estimates.hpp"

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
  require(curvature_.regular(), "effective numbers of parameters: {}", curvature_.trouble());
  const Matrix x = curvature_.solve(curvature_.h());
  MlpEffective out{x.trace(), x.cwiseProduct(x.transpose()).sum(), Vector::Zero(cost_.decay().groups()), 0};
  for (Index i = 0; i < x.rows(); ++i) {
    const int g = cost_.decay().group[std::size_t(i)];
    if (g >= 0) out.gamma[g] += x(i, i);
  }
  out.gamma_total = out.m1;
  return out;
}

MlpEvidence MlpEstimates::evidence(std::optional<double> beta, bool with_gradient) const {
  const MlpDecay& decay = cost_.decay();
  const double rows = static_cast<double>(cost_.rows()), idle = static_cast<double>(curvature_.idle().size());
  const double p = static_cast<double>(cost_.weights()) - idle;
  const double n = observations(), p0 = static_cast<double>(decay.free_weights()) - idle;
  const double cost = error_ + cost_.penalty(w_);
  const bool squared = cost_.loss() == MlpLoss::squared;
  MlpEvidence out;
  out.status = trouble_;
  out.beta = !squared ? 1 : beta ? *beta : (n - p0) / (2 * rows * cost);
  const auto log_determinant = curvature_.log_determinant();
  if (!log_determinant) return out;
  if (!(out.beta > 0) || !std::isfinite(out.beta)) {
    out.status = "the noise level is not determined: the fit is perfect or there are too few rows";
    return out;
  }
  double value =
      out.beta * rows * cost + 0.5 * *log_determinant + 0.5 * p * std::log(out.beta * rows / (2 * M_PI));
  for (Index g = 0; g < decay.groups(); ++g) {
    if (decay.size_of(g) == 0) continue;
    if (decay.kappa[g] == 0) {
      out.status = "a decay is 0: its prior is not a density; use a positive one or leave the weights free";
      return out;
    }
    value -= 0.5 * static_cast<double>(decay.size_of(g)) * std::log(decay.kappa[g] * out.beta * rows / M_PI);
  }
  if (squared) value += 0.5 * n * std::log(M_PI / out.beta);
  out.value = value;
  out.gradient_log_beta = squared ? out.beta * rows * cost - 0.5 * (n - p0) : 0;
  if (!with_gradient) return out;
  out.gradient_fixed_hessian.resize(decay.groups());
  for (Index g = 0; g < decay.groups(); ++g) {
    const double trace = decay.restricted(inverse_.diagonal(), g).sum();
    out.gradient_fixed_hessian[g] =
        decay.kappa[g] * (out.beta * rows * decay.restricted(w_, g).squaredNorm() + trace) -
        0.5 * static_cast<double>(decay.size_of(g));
  }
  if (!along_) return out;
  const Matrix third = cost_.hessian_contracted_along(w_, {inverse_}, *along_, curvature_.kind());
  out.gradient = out.gradient_fixed_hessian + 0.5 * third.col(0);
  return out;
}

MlpMackayStep MlpEstimates::mackay() const {
  const MlpDecay& decay = cost_.decay();
  const double rows = static_cast<double>(cost_.rows());
  MlpMackayStep out{Vector::Zero(decay.groups()), decay.kappa, 1, trouble_};
  if (!curvature_.regular()) return out;
  const MlpEffective effective = this->effective();
  const double left = observations() - effective.gamma_total;
  if (cost_.loss() == MlpLoss::squared) {
    if (!(left > 1e-8 * observations()) || !(error_ > 0)) {
      out.status = "every observation is used up by the fit: the noise level is not determined";
      return out;
    }
    out.beta = left / (2 * rows * error_);
  }
  for (Index g = 0; g < decay.groups(); ++g) {
    const double size = decay.restricted(w_, g).squaredNorm();
    if (!(size > 1e-300)) {
      out.status = fmt::format("the weights of decay group {} are all 0: its decay is infinite", g);
      continue;
    }
    out.alpha[g] = effective.gamma[g] / (2 * size);
    out.kappa[g] = out.alpha[g] / (out.beta * rows);
  }
  return out;
}

}  // namespace gnomon
