#pragma once

#include "gnomon/adaptive/tunable.hpp"

namespace gnomon::adaptive {

/// What a penalised least-squares fit leaves of its targets. With C the projection that takes out an unpenalised constant (I
/// without one) and M = K/λ the Gram matrix of the penalised functions over λ,
///
///     Q = (CMC + I)⁻¹C,   e = Qy = y − ŷ,   Q_kk = 1 − h_k,   tr Q = n − γ,   ‖Q‖²_F = n − 2m₁ + m₂,   dQ = −Q dM Q.
///
/// Every criterion below is a function of Q and y (the evidence also of log|CMC + I|, whose differential is tr(Q dM)), so one
/// slope ∂Γ/∂Q gives the derivative along whatever M depends on.
struct Complement {
  Vector y;
  bool intercept = true;               ///< C is the centring projection, else I
  Vector residual;                     ///< e
  double log_determinant = undefined;  ///< log|CMC + I|
  Matrix q;                            ///< Q in full; the evidence without its slope does without it
  /// Q on the numerical range Π of CMC, where M was cut to it: then Q is C outside, and dQ = −QΠ dM ΠQ. Empty = Q itself.
  Matrix in_range{};

  Index rows() const { return y.size(); }
  const Matrix& moving() const { return in_range.size() ? in_range : q; }
};

/// ∂Γ/∂Q = sym(left·right') + band + own·Q with sym(A) = (A + A')/2, and ∂Γ/∂log|CMC + I|. Kept in these parts because each
/// of them passes through Q at less than the cost of a full n×n matrix.
struct ComplementSlope {
  Matrix left, right;  ///< n × few
  Matrix band;         ///< entry (k, m) stands at (k, k+m) and at (k+m, k); n × (lags + 1), or empty
  double own = 0;
  double log_determinant = 0;

  /// ∂Γ/∂Q written out, for tests.
  Matrix dense(const Matrix& q) const;
};

/// A criterion and its slope; `gradient` stays empty, the slope is empty where not asked for.
struct ComplementEstimate : HyperEstimate {
  ComplementSlope slope;
};

namespace complement {

/// Mean of (e_k/Q_kk)²: every row left out and the rest fitted at the same λ, in closed form.
ComplementEstimate loo(const Complement&, bool slope = true);

/// Every fold V left out at the same λ: its errors are Q_VV⁻¹e_V exactly. Means over the rows of a fold, over folds and over repeats.
/// O(Σ|V|³).
ComplementEstimate cv(const Complement&, const std::vector<Folds>& repeats, bool slope = true);

/// n‖e‖²/(tr Q)².
ComplementEstimate gcv(const Complement&, bool slope = true);

/// (‖e‖² + 2σ²γ)/n.
ComplementEstimate cp(const Complement&, double sigma2, bool slope = true);

/// SIC with the metric of the training inputs: cp less ‖Cy‖²/n and less the 2σ²/n of an intercept.
ComplementEstimate sic(const Complement&, double sigma2, bool slope = true);

/// GEN with dependence up to M = lags rows apart, mode `corrected`. With scores −2e_kφ_k, J = 2(Φ'Φ + λP)/n and the
/// stationarity R' = (2/n)Φ'e, both of its terms are in the hat matrix H = I − Q alone: tr(J⁻¹L) = 2 Σ_{|k−j|≤M} e_k e_j H_kj and
/// R'ᵀJ⁻¹R' = (2/n) e'He, so
///     Γ = S + (2/n) Σ_{|k−j|≤M} e_k e_j H_kj − (2A/n²) e'He,   A = 2M+1 − M(M+1)/n.
/// O(n(M + n)).
ComplementEstimate gen(const Complement&, Index lags, bool slope = true);

/// FPE and GPE: S(n + γ)/(n − γ).
ComplementEstimate gpe(const Complement&, bool slope = true);

/// S(n + m₂)/(n − 2m₁ + m₂).
ComplementEstimate fper(const Complement&, bool slope = true);

/// minus_two_log_evidence: (n−p₀)(log 2πs² + 1) + log|CMC + I| + p₀ log n, s² = y'Qy/(n−p₀), p₀ = 1 with an intercept.
ComplementEstimate evidence(const Complement&, bool slope = true);

/// By the name of the criterion. A value that is not a finite number carries a warning.
ComplementEstimate evaluate(const HyperCriterion&, const Complement&, bool slope = true);

}  // namespace complement

/// dΓ = ⟨gram, dM⟩ for any symmetric change of M, and the derivative along log λ (dM = −M).
struct ComplementDerivative {
  Matrix gram;  ///< W = −QGQ (+ Q·∂Γ/∂log|CMC+I|); its lower triangle is filled
  double log_lambda = undefined;
};

/// The slope taken from Q back to M. Since QMQ = Q − Q², the derivative along log λ is ⟨G, Q − Q²⟩ and needs no M. In flops:
/// evidence O(n²), cv 6n² per fold, loo, gcv, cp, gen without lags n³ (one dsyrk), gen with lags 2n³, fper 4n³.
ComplementDerivative pull_back(const Complement&, const ComplementSlope&);

}  // namespace gnomon::adaptive
