#pragma once

#include <cmath>
#include <memory>

#include "gnomon/criteria/criterion.hpp"
#include "gnomon/learn/huber.hpp"

namespace gnomon {

class WhitenedDesign;

/// The Huber solver of a learner; null for every other learner.
const Huber* huber_solver(const Learner&);

/// Huber's fits along a path as second-order criteria see them, in the coordinates of the design's singular vectors
/// (q = rank + 1 with an intercept). S are the rows within τ, G = Φ̃_SᵀW_SΦ̃_S + λI′, ψ(u) = clamp(u, ±τ).
class HuberPath {
 public:
  /// One SVD of the design. The learner must be Huber without importance weights.
  HuberPath(const PathLearner& learner, Index target);
  ~HuberPath();

  /// What the criteria are made of. All NaN where G is singular, or the minimiser is one of several: few rows lie within τ,
  /// and no penalty holds the rest.
  struct Parts {
    double loss = undefined;            ///< Σ w 2ρ_τ(u)
    double penalty = undefined;         ///< λ‖a‖²
    double score_products = undefined;  ///< Σ_{|i|≤M} Σ_k w ψ_k ψ_{k+i} φ̃_kᵀG⁻¹φ̃_{k+i}
    double mean_score = undefined;      ///< λ² aᵀG⁻¹a, the square of Σ w ψ φ̃ in the same metric
    double m1 = undefined;              ///< tr HJ⁻¹ = Σ ∂f_i/∂y_i
    double left_squared = undefined;    ///< n − 2m₁ + tr (HJ⁻¹)²
    double log_det_ratio = undefined;   ///< log |G|/λ^p; +∞ at λ = 0
  };
  /// O(n q² + q³), M > 0 adds O(M n q).
  Parts at(const PathFit& fit, int lags) const;

 private:
  const PathLearner& learner_;
  Vector y_;
  double tau_;
  std::unique_ptr<const WhitenedDesign> design_;
};

/// f(parts, fit) at every λ, undefined where it is not finite.
template <class Formula>
CriterionCurve along_huber(const CriterionContext& c, int lags, const Formula& formula) {
  const PathLearner& learner = *c.learner.solved();
  const HuberPath path(learner, c.target);
  const auto& fits = learner.path(c.lambdas, c.target);
  CriterionCurve curve{Vector(static_cast<Index>(fits.size())), {}, {}};
  for (Index k = 0; k < curve.value.size(); ++k) {
    const PathFit& fit = fits[static_cast<std::size_t>(k)];
    const double value = formula(path.at(fit, lags), fit);
    curve.value[k] = std::isfinite(value) ? value : undefined;
  }
  return curve;
}

}  // namespace gnomon
