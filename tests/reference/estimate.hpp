#pragma once

#include <string>

#include "gnomon/core/types.hpp"

namespace gnomon::adaptive {

/// A criterion at one set of regularization parameters.
struct HyperEstimate {
  double value = undefined;
  /// d value / d log κ_g; empty where not asked for.
  Vector gradient;
  /// Why the value should not be trusted, in words; empty = no objection.
  std::string warning;
  /// γ > 0.8 n: an in-sample estimate must not choose this point.
  bool overfitted = false;
};

}  // namespace gnomon::adaptive
