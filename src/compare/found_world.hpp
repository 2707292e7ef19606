#pragma once

#include "gnomon/compare/simulation.hpp"
#include "select/path_search.hpp"

namespace gnomon::compare {

/// What a simulation takes for granted, from the path that a criterion chose on the user's own targets y.
World world_of(const TargetFindings& found, const Vector& y);

}  // namespace gnomon::compare
