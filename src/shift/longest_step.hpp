#pragma once

#include <algorithm>

#include "gnomon/core/types.hpp"

namespace gnomon::detail {

/// The largest step in (0, 1] that keeps x + step·dx from turning negative.
inline double longest_step(const Vector& x, const Vector& dx) {
  double step = 1;
  for (Index i = 0; i < x.size(); ++i)
    if (dx[i] < 0) step = std::min(step, -x[i] / dx[i]);
  return step;
}

}  // namespace gnomon::detail
