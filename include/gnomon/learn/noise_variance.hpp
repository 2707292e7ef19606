#pragma once

#include <string>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// σ² along a path: one value for all λ, or one per λ. NaN where the method does not define it.
struct NoiseVariance {
  std::string method;
  std::string reason;  ///< why this method, in words
  Vector value;        ///< one entry, or one per λ

  double at(Index k) const { return value.size() == 1 ? value[0] : value[k]; }
  bool per_lambda() const { return value.size() > 1; }
};

}  // namespace gnomon
