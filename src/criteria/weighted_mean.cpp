#include "weighted_mean.hpp"

#include <algorithm>
#include <cmath>

namespace gnomon {

WeightedMean weighted_mean(const Vector& values, const Vector& weight) {
  const double n = static_cast<double>(values.size()), total = weight.sum();
  double sum = 0, squares = 0;
  for (Index i = 0; i < values.size(); ++i)
    if (weight[i] > 0) sum += weight[i] * values[i];
  const double mean = sum / total;
  for (Index i = 0; i < values.size(); ++i)
    if (weight[i] > 0) squares += std::pow(weight[i] * (values[i] - mean), 2);
  return {mean, std::sqrt(squares * n / std::max(1.0, n - 1)) / total};
}

}  // namespace gnomon
