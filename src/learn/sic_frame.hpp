#pragma once

#include "gnomon/learn/path_learner.hpp"

namespace gnomon {

/// The metric and the reference of the SIC family for a learner that is solved by refitting; the covariance term is
/// the third part and comes from elsewhere (Stein's divergence, bootstrap).
///
/// Values of functions are compared where the error is measured, x_U with weights ω (sum 1). With f the fit, r = L_u y
/// the values of weighted least squares there, and both taken less the mean ȳ of the targets where there is an
/// intercept (its own terms do not depend on the learner and are left out, as for smoothers),
///   SIC = Σ ω (f² − 2 f r) + 2 C,        C an estimate of E⟨θ, L_u e⟩_U − σ²/n [intercept].
/// Under covariate shift (importance weights) the reference is weighted by the whole density ratio, the noise has one
/// variance, and nothing is left out: this is Ĵ of Sugiyama & Müller (2005), eq. 9, without its constant C.
/// At the training inputs f lies in the range of the design, so y itself serves as r, whatever the rank.
/// Elsewhere a design without full column rank has no unbiased reference; least squares of least norm is taken, with a
/// bias.
class SicFrame {
 public:
  /// Σ ω (f² − 2 f r) as a quadratic function of y with the matrix B = factor·core·factorᵀ: this, half of its gradient and
  /// tr(U L Lᵀ), all in units of the noise deviation of a row.
  struct QuadraticForm {
    Matrix factor, core;
    Vector half_gradient;
    double spread;

    /// tr(B Cᵀ) with the matrix C of another one.
    double product(const QuadraticForm& other) const;
  };

  SicFrame(const PathLearner& learner, Index target, const Metric& metric);

  /// Σ ω (f² − 2 f r)
  double distance(const PathFit&) const;
  /// e ↦ U L_u e
  Pairing pairing() const;
  bool without_constant() const { return without_constant_; }
  /// For fits affine in y on a basis, judged at points, where it costs no more than a few passes over the rows.
  std::optional<QuadraticForm> quadratic_form(const PathFit&) const;
  /// tr(U J W⁻¹ L_uᵀ) − 1/n [intercept], by the learner's exact or Monte-Carlo divergence.
  double divergence(const PathFit&, double df) const;

 private:
  /// Values at the points of a ridge fit, less its constant where that is left out: values·(leftᵀ y).
  struct LinearMap {
    Matrix left, values;
  };
  LinearMap ridge_map(const Vector& weight, double lambda) const;
  /// The weights of the reference: the counts, or the whole density ratio under a shift.
  Vector reference_weight() const;

  bool train() const { return metric_kind_ != Metric::Kind::points; }
  bool from_moments(const MetricPoints& points);
  void from_rows(const MetricPoints& points);

  const PathLearner& learner_;
  Index target_;
  bool without_constant_;  // the intercept's own terms are left out
  double mean_ = 0;
  Metric::Kind metric_kind_;
  const MetricPoints& points_;
  mutable std::optional<LinearMap> reference_map_;  // made with the first quadratic form
  // For a metric on points, where the learner and the reference come from well conditioned moments. With c the
  // weighted means, θ = (coefficients; value at c) and U = Σ ω [φ − c, 1]ᵀ[φ − c, 1] at the points:
  bool by_moments_ = false;
  Vector centre_, best_;    // c; θ of the reference
  Matrix metric_, paired_;  // U; P, for which the rows of (U L_u)ᵀ are w_i [φ_i − c, 1] P
  // For a metric on points otherwise:
  Matrix features_;           // [Φ(x_U), 1]
  Vector omega_, reference_;  // weights and r less the mean
  Matrix left_, map_;         // L_u e = map_·(left_ᵀe) paired with θ: U L_u = map_ᵀ left_ᵀ
};

}  // namespace gnomon
