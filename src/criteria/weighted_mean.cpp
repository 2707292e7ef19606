#include "weighted_mean.hpp"

#include <algorithm>
#include <cmath>

namespace gnomon {

WeightedMean weighted_mean(const Vector& values, const Vector& weight) {
  const double n = static_cast<double>(values.size()), total = weight.sum();
  double sum = 0;
  for (Index i = 0; i < values.size(); ++i)
    if (weight[i] > 0) sum += weight[i] * values[i];
  const double mean = sum / total;
  Vector deviation = Vector::Zero(values.size());
  for (Index i = 0; i < values.size(); ++i)
    if (weight[i] > 0) deviation[i] = weight[i] * (values[i] - mean);
  // Values are squared errors, whose squares may leave the range of numbers.
  return {mean, deviation.stableNorm() * std::sqrt(n / std::max(1.0, n - 1)) / total};
}

}  // namespace gnomon
