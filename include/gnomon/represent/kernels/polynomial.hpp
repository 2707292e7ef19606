#pragma once

#include <string_view>

namespace gnomon {

/// k(x, x') = (1 + ⟨x, x'⟩ / width²)^degree: all monomials up to that degree. Not stationary: centre the
/// inputs.
struct Polynomial {
  double width = 1;
  int degree = 2;
  static constexpr std::string_view name = "polynomial";
  static constexpr bool of_inner_product = true;
  /// The power is taken by squaring, in the order of the bits of `degree`.
  double operator()(double inner_product) const {
    double base = 1 + inner_product * (1 / (width * width)), power = 1;
    for (int left = degree; left > 0; left /= 2) {
      if (left % 2 == 1) power *= base;
      base *= base;
    }
    return power;
  }
  /// Its derivative by the argument.
  [[gnu::always_inline]] double slope(double inner_product) const {
    return degree * Polynomial{width, degree - 1}(inner_product) / (width * width);
  }
};

}  // namespace gnomon
