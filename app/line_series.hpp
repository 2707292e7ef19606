#pragma once

#include <string>

#include "gnomon/report/block.hpp"

namespace gnomon::app {

// Series over an axis of names, one line of the chart per name.

/// Horizontal strokes from low to high.
Series strokes(std::string label, const Vector& low, const Vector& high, bool emphasised);
Series dots(std::string label, const Vector& at);

}  // namespace gnomon::app
