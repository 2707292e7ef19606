#pragma once

#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon::experiments {

/// What has been done so far, counted where it is done. A multiplication and an addition are two flops.
struct Work {
  Index trainings = 0, factorisations = 0, solves = 0;
  double flops = 0;
};

/// A criterion of ridge regression at one κ, cost |y − Xw|²/N + κ|w|², and its slope in κ.
struct SchemeValue {
  double value = undefined, slope = undefined;
};

// One step of each scheme of Sigurdsson, Larsen & Hansen (2000) as a network would have to take it: every weight vector is
// trained for. J = 2(X'X/N + κI) throughout.

/// Mean validation error over folds, equations (3) and (5): a training and a solve per fold. One fold: the error of a set held
/// out; a fold per row: leave-one-out.
SchemeValue validation_step(const Matrix& x, const Vector& y, const std::vector<std::vector<Index>>& folds,
                            double kappa, Work& work);
/// GEN (10), and its slope as printed, equation (14).
SchemeValue gen_step(const Matrix& x, const Vector& y, double kappa, Work& work);
/// The next κ of the evidence: γS/((N − γ)|ŵ|²), γ = tr HJ⁻¹. Equation (18) with the factor 2 that it lacks.
double evidence_step(const Matrix& x, const Vector& y, double kappa, Work& work);
/// Leave-one-out as for a linear model: one training, and the leverages.
SchemeValue closed_loo_step(const Matrix& x, const Vector& y, double kappa, Work& work);

/// The same numbers in O(Nm) per κ, from X = U diag(s) V'; λ = s²/N.
class SpectralRidge {
 public:
  SpectralRidge(const Matrix& x, const Vector& y);

  double mean_eigenvalue() const { return lambda_.mean(); }
  SchemeValue gen(double kappa) const;
  SchemeValue loo(double kappa) const;
  double next_evidence_kappa(double kappa) const;

 private:
  Matrix u_, u_squared_;
  Vector lambda_, c_, left_, left_leverage_;  // y − Uc, 1 − Σ_j U_kj²
};

}  // namespace gnomon::experiments
