#include "gnomon/criteria/evidence.hpp"

#include <cmath>

#include "gnomon/noise/evidence_scale.hpp"
#include "huber_curvature.hpp"

namespace gnomon {
namespace {

constexpr double pi = 3.14159265358979323846;

/// √β times the integral of exp(−β 2ρ_τ(u)) over u, as a function of t = τ√β.
double normaliser(double t) { return std::sqrt(pi) * std::erf(t) + std::exp(-t * t) / t; }

/// The β at which the likelihood is largest: f(β) = 2βF − (n−q) − n e^(−t²)/(t ζ(t)) increases, and its last term lies
/// between 0 and n.
double best_precision(double objective, double n, double fixed, double tau) {
  const auto slope = [&](double beta) {
    const double t = tau * std::sqrt(beta);
    return 2 * beta * objective - (n - fixed) - n * std::exp(-t * t) / (t * normaliser(t));
  };
  double lo = (n - fixed) / (2 * objective), hi = (2 * n - fixed) / (2 * objective);
  if (slope(lo) >= 0) return lo;
  while (hi - lo > 1e-14 * hi) {
    const double middle = (lo + hi) / 2;
    if (middle == lo || middle == hi) break;
    (slope(middle) < 0 ? lo : hi) = middle;
  }
  return (lo + hi) / 2;
}

double of_huber(const HuberPath::Parts& p, double n, double fixed, double tau) {
  const double objective = p.loss + p.penalty;
  if (!(objective > 0) || !(n > fixed)) return undefined;
  const double beta = best_precision(objective, n, fixed, tau);
  return 2 * beta * objective - (n - fixed) * std::log(beta) +
         2 * n * std::log(normaliser(tau * std::sqrt(beta))) - fixed * std::log(pi) + p.log_det_ratio;
}

}  // namespace

std::string no_evidence(const Learner& learner, const Metric& metric) {
  if (learner.linear() && learner.linear()->filter().log_prior_ratio) return "";
  if (huber_solver(learner))
    return learner.solved()->importance().size() ? needs_degrees_of_freedom(learner, metric) : "";
  return "its fit is not the posterior mean of a Gaussian model";
}

CriterionCurve log_evidence(const CriterionContext& c) {
  const double fixed = c.learner.intercept() ? 1 : 0;
  if (const Huber* huber = huber_solver(c.learner))
    return along_huber(c, 0, [&](const HuberPath::Parts& p, const PathFit&) {
      return of_huber(p, c.count(), fixed, huber->tau());
    });
  return at_each_lambda(c, [fixed](const SpectralSums& s, double, double n) {
    return Estimate{minus_two_log_evidence(s, n, fixed)};
  });
}

}  // namespace gnomon
