#pragma once

#include <cmath>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon::bench {

inline double mean(const std::vector<double>& v) {
  return Eigen::Map<const Vector>(v.data(), static_cast<Index>(v.size())).mean();
}

inline double standard_error(const std::vector<double>& v) {
  const double m = mean(v), n = static_cast<double>(v.size());
  double sum = 0;
  for (const double x : v) sum += (x - m) * (x - m);
  return std::sqrt(sum / (n - 1) / n);
}

}  // namespace gnomon::bench
