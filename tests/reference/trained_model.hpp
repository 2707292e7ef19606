#pragma once

#include <functional>

#include "learn/ridge_groups/grouped_ridge.hpp"
#include "reference/counted_error.hpp"

namespace gnomon::reference {

/// What the algebraic estimates and the evidence ask of a model with p weights trained to a minimum ŵ of
/// C = S + Σ κ_g w'P_g w, S the mean of the per-sample losses l_k = ‖y_k − f(x_k)‖² (no ½) or a negative log
/// likelihood. A linear model, a network or Huber's regression fills this in; everything is at ŵ.
struct TrainedModel {
  Index samples = 0;                  ///< N
  Index observations = 0;             ///< n = N × outputs
  double training_error = undefined;  ///< S
  Vector weights;                     ///< ŵ
  Matrix hessian;  ///< H = ∇²S, p×p, exact or Gauss–Newton: the one that enters the criteria
  /// ∇²S exact, where `hessian` is not: the implicit derivative dŵ/dκ always uses it. Empty = the same.
  Matrix exact_hessian;
  Matrix scores;  ///< row k = ∇l_k; N×p. Only GEN and NIC read it.
  /// v ↦ rows (∇²l_k) v, the derivative of the scores along v. Only the gradients of GEN and NIC read it.
  std::function<Matrix(const Vector&)> score_derivative;
  /// v ↦ derivative of `hessian` along v. Empty = zero, as for a linear model.
  std::function<Matrix(const Vector&)> hessian_derivative;
  /// The loss is a negative log likelihood (cross-entropy): β = 1 and no noise constant in the evidence.
  bool likelihood_loss = false;
};

/// J = H + 2D factorised, and the derivative of ŵ: dŵ/dκ_g = −J⁻¹ 2P_gŵ with the exact J. O(p³ + groups·p²).
/// Throws where J is not positive definite: then ŵ is no minimum and no estimate means anything.
struct Curvature {
  Curvature(const TrainedModel& model, const GroupedPenalty& penalty, const VectorView& kappa);

  Matrix inverse;                      ///< J⁻¹, symmetric, for traces
  double log_determinant = undefined;  ///< log|J|
  Vector penalty_gradient;             ///< R' = 2Dŵ
  Vector shrinkage;                    ///< u = J⁻¹R'
  Matrix weight_derivatives;           ///< column g = dŵ/dκ_g
  double smallest_pivot = undefined;   ///< the least diagonal entry of the Cholesky factor of J, squared
};

/// S, m₁ = tr(HJ⁻¹), m₂ = tr((HJ⁻¹)²) with exact gradients in log κ.
CountedError counted_error(const TrainedModel&, const GroupedPenalty&, const VectorView& kappa,
                           const Curvature&, bool gradient = true);

/// What the evidence is made of. Without `third_derivative` the gradient drops D³S, as MacKay does.
DecayEvidence evidence_parts(const TrainedModel&, const GroupedPenalty&, const VectorView& kappa,
                             const Curvature&, bool third_derivative = true);

/// A linear model as the general estimates see it; slow, N×p scores are formed.
TrainedModel trained_model(const GroupedRidge&, const VectorView& kappa);

}  // namespace gnomon::reference
