#pragma once

#include <string>
#include <vector>

#include "reference/estimate.hpp"

namespace gnomon::reference {

/// Ridge regression of one target with one κ and P = I, from one SVD X = U s V': λ_j = s_j²/N, f = λ/(λ+κ),
/// g = κ/(λ+κ). Values and derivatives in log κ cost O(N·rank); they stay exact as κ → 0 and for N ≤ p (the parts of y and
/// of the leverages outside the range of X are exactly 0 there).
class SpectralRidge {
 public:
  SpectralRidge(const MatrixView& x, const VectorView& y);

  enum class Curve { loo, gen, gcv, fper, gpe, evidence, gen_eq14 };

  /// gen_eq14 has no value, only the printed gradient.
  reference::HyperEstimate at(Curve curve, double kappa) const;
  double gamma(double kappa) const;
  Index rank() const { return lambda_.size(); }
  Index samples() const { return n_; }
  const Vector& eigenvalues() const { return lambda_; }
  /// trace(X'X/N)/min(N, p), the unit of κ.
  double mean_eigenvalue() const { return mean_; }

 private:
  Index n_;
  double mean_ = 0;
  Matrix u_, u_squared_;
  Vector lambda_, c_, outside_, q_outside_;  // y⊥ and 1 − Σ U²
  double outside_squared_ = 0;
};

struct StationaryPoint {
  double kappa, value;
  bool minimum;
};

/// The curve over a range of κ: all stationary points inside, and the least value with where it is.
struct KappaScan {
  std::vector<StationaryPoint> stationary;  ///< ascending κ
  double kappa = undefined, value = undefined;
  enum class Where { interior, lower_end, upper_end } where = Where::interior;
  std::string status;  ///< in words
};

/// Scans `per_decade` points a decade from lower to upper and refines every change of sign of the derivative to 1e-13
/// relative (bisection with secant steps). Where the ends win, the status says "zero" or "infinite".
KappaScan scan_kappa(const SpectralRidge& ridge, SpectralRidge::Curve curve, double lower, double upper,
                     int per_decade = 10);

}  // namespace gnomon::reference
