#pragma once

#include <cmath>
#include <string_view>

#include "gnomon/represent/kernels/exponential.hpp"

namespace gnomon {

/// k(x, x') = (1 + s + s²/3) exp(−s), s = √5 ‖x−x'‖ / width. Twice differentiable functions.
struct Matern52 {
  double width = 1;
  static constexpr std::string_view name = "matern52";
  [[gnu::always_inline]] double operator()(double squared_distance) const {
    constexpr double kRoot5 = 2.23606797749979;
    const double s = std::sqrt(squared_distance) * (kRoot5 / width);
    return (1 + s * (1 + s * (1.0 / 3))) * exponential(-s);
  }
  /// Its derivative by the argument.
  [[gnu::always_inline]] double slope(double squared_distance) const {
    constexpr double kRoot5 = 2.23606797749979;
    const double s = std::sqrt(squared_distance) * (kRoot5 / width);
    return -5.0 / 6 / (width * width) * (1 + s) * exponential(-s);
  }
};

}  // namespace gnomon
