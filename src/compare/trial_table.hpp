#pragma once

#include "gnomon/compare/ranking.hpp"

namespace gnomon::compare {

/// As numbers of a table, with their names; `points` is the number of rows of the curves.
std::vector<std::string> trial_columns(const std::vector<std::string>& criteria, Index points);
Vector to_numbers(const Trial& trial);
Trial trial_from(const VectorView& numbers, std::size_t criteria, Index points);

}  // namespace gnomon::compare
