#pragma once

#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Points a scatter plot shows, and entries of a spectrum; more would only make the file large.
inline constexpr Index most_points = 2000, most_eigenvalues = 500;

/// `most` of the numbers 0, …, n−1, ascending, drawn at random but always the same; all of them if they are
/// no more.
std::vector<Index> random_places(Index n, Index most);

/// `most` of the numbers 0, …, n−1, ascending: the first fifth of them without gaps, then evenly to the last.
std::vector<Index> leading_places(Index n, Index most);

Vector take(const Vector& v, const std::vector<Index>& places);

}  // namespace gnomon
