#pragma once

#include "path_search.hpp"

namespace gnomon {

/// Whether a criterion takes the smallest exponent of the importance weights that it cannot tell from the best one: iwloo, where the
/// exponent is chosen.
bool takes_smallest_exponent(const Criterion& criterion, const SelectionRequest& request);

/// The least value of a criterion on one path.
struct PathMinimum {
  std::size_t path;
  Index place;  ///< among the points of all paths
  GridMinimum found;
};

/// Of the least values on paths of ascending exponents, the first that exceeds the one of `best` by at most 0.3 standard errors of
/// the difference; paths on another basis are left alone. Small exponents have less variance: where the rows cannot tell two of them
/// apart the smaller one is the better bet. A whole standard error, the customary rule for λ, is far too much
/// (bench/study_flattening.md).
const PathMinimum& smallest_exponent(const std::vector<PathMinimum>& minima, const PathMinimum& best,
                                     const std::vector<TargetPath>& paths, const Vector& difference_error);

}  // namespace gnomon
