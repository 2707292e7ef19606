#pragma once

#include <cmath>
#include <string_view>

#include "gnomon/represent/kernels/exponential.hpp"

namespace gnomon {

/// k(x, x') = exp(−‖x−x'‖ / width), Euclidean norm. Matérn 1/2: continuous functions, no derivative.
struct Laplace {
  double width = 1;
  static constexpr std::string_view name = "laplace";
  [[gnu::always_inline]] double operator()(double squared_distance) const {
    return exponential(std::sqrt(squared_distance) * (-1 / width));
  }
  /// Its derivative by the argument. There is none at 0, where no width acts.
  [[gnu::always_inline]] double slope(double squared_distance) const {
    const double r = std::sqrt(squared_distance);
    return r > 0 ? -0.5 * exponential(r * (-1 / width)) / (r * width) : 0.0;
  }
};

}  // namespace gnomon
