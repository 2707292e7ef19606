#pragma once

#include <string>

#include "gnomon/learn/learner.hpp"

namespace gnomon {

/// Why rows up to `lags` apart cannot be paired for this learner, or an empty text.
std::string no_lags(const Learner&, int lags);

}  // namespace gnomon
