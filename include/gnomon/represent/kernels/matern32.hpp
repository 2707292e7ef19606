#pragma once

#include <cmath>
#include <string_view>

#include "gnomon/represent/kernels/exponential.hpp"

namespace gnomon {

/// k(x, x') = (1 + s) exp(−s), s = √3 ‖x−x'‖ / width. Once differentiable functions.
struct Matern32 {
  double width = 1;
  static constexpr std::string_view name = "matern32";
  [[gnu::always_inline]] double operator()(double squared_distance) const {
    constexpr double kRoot3 = 1.7320508075688772;
    const double s = std::sqrt(squared_distance) * (kRoot3 / width);
    return (1 + s) * exponential(-s);
  }
  /// Its derivative by the argument.
  [[gnu::always_inline]] double slope(double squared_distance) const {
    constexpr double kRoot3 = 1.7320508075688772;
    return -1.5 / (width * width) * exponential(std::sqrt(squared_distance) * (-kRoot3 / width));
  }
};

}  // namespace gnomon
