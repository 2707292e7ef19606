#pragma once

#include <vector>

#include "gnomon/criteria/criterion.hpp"
#include "gnomon/data/folds.hpp"

namespace gnomon {

/// The folds by which a criterion holds out n rows: blocks, which are cut in one way, as are folds that were given, or random ones, a
/// partition for each repeat.
std::vector<Folds> partitions_of(const Criterion& criterion, Index n, const RowGroups& groups, int folds,
                                 int repeats, std::uint64_t seed);

}  // namespace gnomon
