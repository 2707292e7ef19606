#include "gnomon/criteria/criteria.hpp"

#include <cmath>
#include <numbers>

namespace gnomon {
namespace {

/// √β times the integral of exp(−β 2ρ_τ(u)) over u, as a function of t = τ√β: √π for squared errors, t = ∞.
double likelihood_normaliser(double t) {
  return std::sqrt(std::numbers::pi) * std::erf(t) + std::exp(-t * t) / t;
}

/// The β at which the likelihood of losses that turn linear at τ is largest, the only root of
/// 2βF − (n−q) − n e^(−t²)/(t ζ(t)) = 0, t = τ√β. The left side increases in β, and its last term lies between 0 and n.
double best_precision(double objective, double n, double fixed, double tau) {
  const auto slope = [&](double beta) {
    const double t = tau * std::sqrt(beta);
    return 2 * beta * objective - (n - fixed) - n * std::exp(-t * t) / (t * likelihood_normaliser(t));
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

}  // namespace

/// Minus twice the log marginal likelihood, noise scale profiled out (Wahba 1985; MacKay 1992; ABIC up to a constant):
/// likelihood Π exp(−β 2ρ_τ(u))/Z, Gaussian prior, flat on the q unpenalised parameters, integrated by Laplace's method about
/// the fit, which is exact for squared errors and linear models. With F the penalised sum of losses at the fit,
///
///   2βF − (n−q) log β + 2n log ζ(τ√β) − q log π + log|J|/prior,    ζ(t) = √π erf t + e^(−t²)/t
///
/// at the best β. Squared errors, τ = ∞, have β = (n−q)/(2F) and
///
///   (n−q)(log 2πs² + 1) + log|J|/prior,   s² = F/(n−q),
///
/// for ridge Σ log(1 + m_i/λ) + q log n with F = Σ z_i² g_i: the restricted likelihood (REML) with an intercept. A
/// likelihood without a noise scale (classes) has β = 1 in F itself.
/// Undefined where nothing is left of the targets, at λ = 0 (no prior) and where J is singular. Different τ compare.
constexpr Criterion evidence{
    .name = "evidence",
    .words = "the evidence",
    .estimates = "minus twice the log marginal likelihood (no prediction error)",
    .target = {.of = Target::Of::log_evidence},
    .formula = EvidenceFormula([](auto a, const Given&) {
      using std::log;
      using Number = decltype(a.quadratic);
      constexpr double two_pi = 6.283185307179586, pi = two_pi / 2;
      const double q = value_of(a.fixed), n = value_of(a.n), f = value_of(a.quadratic);
      if (a.known_scale) return Number(2 * a.quadratic + a.log_determinant);
      if (!(f > 0) || !(n > q)) return Number(undefined);
      if (std::isinf(a.turn))
        return Number((n - q) * (log(two_pi * a.quadratic / (n - q)) + 1) + a.log_determinant);
      const double beta = best_precision(f, n, q, a.turn);  // stationary: no slope of its own
      return Number(2 * beta * a.quadratic - (n - q) * std::log(beta) +
                    2 * n * std::log(likelihood_normaliser(a.turn * std::sqrt(beta))) - q * std::log(pi) +
                    a.log_determinant);
    })};

}  // namespace gnomon
