#pragma once

#include <string>

#include "gnomon/learn/learner.hpp"

namespace gnomon {

/// Why a criterion that looks at the training inputs is refused under a covariate shift; an empty text without one.
inline std::string no_shift(const Learner& learner, const Metric&) {
  return learner.is_shifted()
             ? "it judges the error at inputs like the training ones, not at the test inputs; use sic, iwcv, "
               "iwaic or loo"
             : "";
}

}  // namespace gnomon
