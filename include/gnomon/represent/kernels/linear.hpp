#pragma once

#include <string_view>

namespace gnomon {

/// k(x, x') = ⟨x, x'⟩: linear ridge in its dual form. No width.
struct Linear {
  static constexpr std::string_view name = "linear";
  static constexpr bool of_inner_product = true;
  [[gnu::always_inline]] double operator()(double inner_product) const { return inner_product; }
  /// Its derivative by the argument.
  [[gnu::always_inline]] double slope(double) const { return 1; }
};

}  // namespace gnomon
