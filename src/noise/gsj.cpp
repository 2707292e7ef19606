#include "gnomon/noise/local.hpp"

#include "sorted_pairs.hpp"

namespace gnomon {

std::optional<double> gsj(VectorView x, VectorView y) {
  const auto [input, target] = sorted_pairs(x, y);
  const Index n = input.size();
  if (n < 3) return std::nullopt;
  double sum = 0;
  for (Index i = 1; i + 1 < n; ++i) {
    const double span = input[i + 1] - input[i - 1];
    const double a = span > 0 ? (input[i + 1] - input[i]) / span : 0.5;
    const double b = span > 0 ? (input[i] - input[i - 1]) / span : 0.5;
    const double residual = a * target[i - 1] + b * target[i + 1] - target[i];
    sum += residual * residual / (a * a + b * b + 1);
  }
  return sum / static_cast<double>(n - 2);
}

}  // namespace gnomon
