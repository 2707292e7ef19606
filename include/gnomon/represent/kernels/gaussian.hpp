#pragma once

#include <string_view>

#include "gnomon/represent/kernels/exponential.hpp"

namespace gnomon {

/// k(x, x') = exp(−‖x−x'‖² / (2 width²)). Smooth to all orders: eigenvalues fall faster than any power.
struct Gaussian {
  double width = 1;
  static constexpr std::string_view name = "gaussian";
  [[gnu::always_inline]] double operator()(double squared_distance) const {
    return exponential(squared_distance * (-0.5 / (width * width)));
  }
  /// Its derivative by the argument.
  [[gnu::always_inline]] double slope(double squared_distance) const {
    return -0.5 / (width * width) * (*this)(squared_distance);
  }
};

}  // namespace gnomon
