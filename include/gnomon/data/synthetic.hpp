#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnomon/core/random.hpp"
#include "gnomon/core/types.hpp"

namespace gnomon {

/// Data with a known truth: y = truth + normal noise.
struct Synthetic {
  Matrix x;
  Vector y;
  Vector truth;  ///< f(x_i)
  double noise_variance = 0;
};

///   sinc            sin(x)/x                                            x ~ U(−π, π)
///   sinc-pi         sin(πx)/(πx)                                        x ~ U(−π, π)
///   step            0, 1, −1/2 on three parts, jumps at 0.3 and 0.7     x ~ U(0, 1)
///   doppler         √(x(1−x)) sin(2.1π/(x+0.05)), Donoho & Johnstone    x ~ U(0, 1)
///   linear[:D]      Σ_j 0.7^j x_j, j = 0..D−1, D = 10 unless given      normal, correlation 0.5^|i−j|
///   friedman1       10 sin(πx₁x₂) + 20(x₃−½)² + 10x₄ + 5x₅              U(0, 1)^10, five of them without use
///   additive-sines  Σ_j sin((j+1)πx_j)/(j+1), j = 0..3                  U(−1, 1)^4
Synthetic make_synthetic(std::string_view name, Index n, double noise_sd, Random& random);

/// f at one input row of such a problem.
double true_function(std::string_view name, VectorView row);

std::vector<std::string> synthetic_names();

}  // namespace gnomon
