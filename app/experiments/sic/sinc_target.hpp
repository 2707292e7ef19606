#pragma once

#include <span>

#include "gnomon/learn/smoother.hpp"

namespace gnomon::experiments {

/// sin(wx)/(wx): a function of the space of the Gaussian kernel of width 1, and how large it is there.
struct SincTarget {
  double frequency;  ///< w

  double operator()(double x) const;
  /// ‖f‖² in that space. f has the constant spectrum 1/(2w) on [−w, w] and the kernel exp(−v²/2)/√(2π), so that
  ///   ‖f‖² = √(2π)/(4w²) ∫_{−w}^{w} exp(v²/2) dv.
  double squared_norm() const;
};

/// J_G = E‖f̂ − f‖² in the space of the kernel, per λ, the inputs and the noise variance being given. `learner` has the noise-free
/// values f(x_i) as its target `noise_free`. With their coordinates μ_i in the eigenbasis and x_i the gain,
///   J_G = Σ d x² (μ² + σ²) − 2 x μ² + ‖f‖²,
/// which never divides by an eigenvalue. O(n) per λ.
Vector function_space_error(const Smoother& learner, Index noise_free, std::span<const double> lambdas,
                            double sigma2, double squared_norm);

/// ‖f̂ − f‖² of the fit to `target` as it came out: αᵀKα − 2αᵀf + ‖f‖², since ⟨K(·, x_i), f⟩ = f(x_i). O(n²) per λ.
Vector realised_function_space_error(const Smoother& learner, Index target, const VectorView& noise_free,
                                     std::span<const double> lambdas, double squared_norm);

}  // namespace gnomon::experiments
