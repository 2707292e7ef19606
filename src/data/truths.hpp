#pragma once

#include <optional>

#include "gnomon/data/table.hpp"

namespace gnomon {

/// A column of true and false in any case, as other software writes it, is one of numbers, 1 and 0; missing cells are NaN. Nothing where
/// a cell says anything else. O(rows).
std::optional<Vector> truths_in(const TextColumn& text);

}  // namespace gnomon
