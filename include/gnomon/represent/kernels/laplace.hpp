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
};

}  // namespace gnomon
