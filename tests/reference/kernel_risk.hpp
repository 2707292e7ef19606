#pragma once

#include <span>

#include "gnomon/learn/smoother.hpp"

namespace gnomon::reference {

/// The truth that function-space SIC estimates, for simulations in which the noise-free values f(x_i) are
/// known.
struct KernelRisk {
  Vector risk;       ///< J' = E‖f̂ − f_S‖² = Σ_R f_i² g²/d + σ² Σ d x², per λ
  Vector selection;  ///< J' − ‖f_S‖² = Σ d x²(f_i² + σ²) − 2x f_i², which needs no division by d
  double squared_norm;  ///< ‖f_S‖² = Σ_R f_i²/d
};

/// `noise_free` is a kernel learner prepared with f(x_i) as its target, without intercept. O(n) per λ.
KernelRisk kernel_risk_of(const Smoother& noise_free, std::span<const double> lambdas, double sigma2);

}  // namespace gnomon::reference
