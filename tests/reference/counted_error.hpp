#pragma once

#include "reference/estimate.hpp"

namespace gnomon::reference {

/// A training error with its effective numbers of parameters, the common ground of FPE, FPER, GPE, GCV and Cp. The two
/// complements are held apart so that they keep their digits where they are small. Gradients are in log κ; empty =
/// not asked for.
struct CountedError {
  double samples = 0;                 ///< N
  double observations = 0;            ///< n
  double weights = 0;                 ///< p
  double training_error = undefined;  ///< S
  double m1 = undefined;              ///< γ = tr(HJ⁻¹)
  double m2 = undefined;              ///< tr((HJ⁻¹)²)
  double left = undefined;            ///< n − m₁
  double left_squared = undefined;    ///< n − 2m₁ + m₂
  Vector d_training_error, d_m1, d_m2, d_left_squared;

  bool has_gradient() const { return d_m1.size() > 0; }
};

/// "" or why an in-sample estimate is not to be trusted: γ > 0.8 n, where the training error has nearly vanished.
std::string overfit_warning(const CountedError&);

}  // namespace gnomon::reference
