#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gnomon/gnomon.hpp"

// The problems of the studies in this folder: real sets, read where they are, and families made on the spot.

namespace gnomon::regret {

/// Rows to learn from, standardised, and rows to be judged on, in the same units.
struct Draw {
  Matrix x, x_test;
  Vector y, y_test;
  double noise = 0;  ///< variance to be added to errors at y_test where that is the truth without noise
};

struct Problem {
  std::string name;
  bool chooses;  ///< of the half that rules are chosen on; the other half confirms
  Matrix x;      ///< all rows of a real set; empty: made on the spot
  Vector y;
};

/// The sets of a folder, last column the target, text columns one-hot; those that are missing are said and left out.
std::vector<Problem> real_sets(const std::filesystem::path& folder);
/// Heavy tails, uneven noise, repeated inputs, correlated and useless inputs, jumps, growing frequency, a plane.
std::vector<Problem> made_families();

/// n rows at random and the others, at most 1000, to be judged on. Real sets need n + 60 rows.
bool large_enough(const Problem& problem, Index n);
Draw draw(const Problem& problem, Index n, std::uint64_t stream);

}  // namespace gnomon::regret
