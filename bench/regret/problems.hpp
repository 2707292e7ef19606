#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gnomon/gnomon.hpp"

// The problems of the studies in this folder: real sets, read where they are, and families made on the spot.

namespace gnomon::regret {

/// Rows to learn from, standardised, and rows to be judged on, in the same units.
struct Draw {
  Matrix x, x_test;
  Vector y, y_test;
  double noise = 0;      ///< variance to be added to errors at y_test where that is the truth without noise
  Vector importance{};   ///< p_test/p_train at the rows under a covariate shift; empty: none
  Index dependence = 0;  ///< windows of a series up to this far apart share values
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

/// One draw of a problem, to be worked on by itself.
struct DataSet {
  const Problem* problem;
  Index n;
  std::uint64_t stream;
};
/// For every size a share of its number of data sets of every problem that is large enough; at least one. Streams count on from the first.
std::vector<DataSet> data_sets(const std::vector<Problem>& problems,
                               const std::vector<std::pair<Index, int>>& sizes, double share,
                               std::uint64_t first_stream);

/// n rows and rows to be judged on whose inputs lie further along a random direction s: a row is of the latter with the
/// probability 1/(1 + exp(−1.5 s)), so that the density ratio is exp(1.5 s) up to a factor. Nothing where the rows do not suffice.
std::optional<Draw> draw_shifted(const Problem& problem, Index n, std::uint64_t stream);

/// Series, not cut into windows: x is empty and y the values; made ones have no values.
std::vector<Problem> real_series(const std::filesystem::path& folder);
std::vector<Problem> made_series();
/// n windows of four values that follow each other, `horizon` steps before the value to predict, and up to 100 windows
/// behind them to be judged on. Nothing where the series is too short.
std::optional<Draw> draw_series(const Problem& series, Index n, Index horizon, std::uint64_t stream);

}  // namespace gnomon::regret
