#pragma once

#include <span>
#include <vector>

#include "gnomon/data/folds.hpp"
#include "gnomon/learn/account.hpp"

namespace gnomon {

/// What a penalised least-squares fit leaves of its targets. With C the projection that takes out an unpenalised constant (I
/// without one) and M = K/λ the Gram matrix of the penalised functions over λ,
///
///     Q = (CMC + I)⁻¹C,   e = Qy = y − ŷ,   Q_kk = 1 − h_k,   tr Q = n − γ,   ‖Q‖²_F = n − 2m₁ + m₂,   dQ = −Q dM Q.
///
/// Every account below is made of Q and y (the evidence also of log|CMC + I|, whose differential is tr(Q dM)), so one
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
  double count() const { return static_cast<double>(y.size()); }
  /// Σ y², about the mean with an intercept.
  double total() const { return intercept ? (y.array() - y.mean()).square().sum() : y.squaredNorm(); }
  const Matrix& moving() const { return in_range.size() ? in_range : q; }
};

/// ∂Γ/∂Q = sym(with_y·y' + left·right') + band + own·Q with sym(A) = (A + A')/2, and ∂Γ/∂log|CMC + I|. Kept in these parts
/// because each of them passes through Q at less than the cost of a full n×n matrix.
struct ComplementSlope {
  Vector with_y{};         ///< length n, or empty
  Matrix left{}, right{};  ///< n × few, or empty
  Matrix band{};           ///< entry (k, m) stands at (k, k+m) and at (k+m, k); n × (lags + 1), or empty
  double own = 0;
  double log_determinant = 0;
};

/// An account with the slope of every field; its own `slopes` are made by whoever knows what M depends on.
template <class AccountType>
struct ComplementAccount {
  AccountType account;
  std::vector<ComplementSlope> of_field;
};

/// Σ weight_i slope_i.
ComplementSlope combined(std::span<const double> weights, const std::vector<ComplementSlope>& slopes);

namespace complement {

/// ‖e‖², γ = n − tr Q and, with `squares`, ‖Q‖²_F.
ComplementAccount<Counts> counts(const Complement&, bool squares);

/// With scores −2e_kφ_k, J = 2(Φ'Φ + λP)/n and the stationarity R' = (2/n)Φ'e, all is in the hat matrix H = I − Q alone:
/// Σe², Σ_{|k−j|≤M} e_k e_j H_kj and e'He. O(n(M + n)).
ComplementAccount<Scores> scores(const Complement&, Index lags);

/// Σ (e_k/Q_kk)²: every row left out and the rest fitted at the same λ, in closed form.
ComplementAccount<LeftOut> left_out(const Complement&);

/// Every fold V left out at the same λ: its errors are Q_VV⁻¹e_V exactly. O(Σ|V|³).
ComplementAccount<HeldOut> held_out(const Complement&, const Folds&);

/// y'Qy and log|CMC + I|; with an intercept log n beside it.
ComplementAccount<EvidenceParts> evidence(const Complement&);

/// In the metric of the training inputs: (‖e‖² − ‖Cy‖²)/n, and the degrees of freedom beside the intercept's over n.
ComplementAccount<SicParts> sic(const Complement&);

}  // namespace complement

/// dΓ = ⟨gram, dM⟩ for any symmetric change of M, and the derivative along log λ (dM = −M).
struct ComplementDerivative {
  Matrix gram;  ///< W = −QGQ (+ Q·∂Γ/∂log|CMC+I|); its lower triangle is filled
  double log_lambda = undefined;
};

/// The slope taken from Q back to M. Since QMQ = Q − Q², the derivative along log λ is ⟨G, Q − Q²⟩ and needs no M. In flops:
/// evidence O(n²), cv 6n² per fold, loo, gcv, cp, gen without lags n³ (one dsyrk), gen with lags 2n³, fper 4n³.
ComplementDerivative pull_back(const Complement&, const ComplementSlope&);

}  // namespace gnomon
