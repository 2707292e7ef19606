#include "partitions.hpp"

#include <algorithm>

namespace gnomon {

std::vector<Folds> partitions_of(const Criterion& criterion, Index n, const RowGroups& groups, int folds,
                                 int repeats, std::uint64_t seed) {
  if (criterion.partition == Criterion::Partition::blocks)
    return {blocked_folds(n, static_cast<int>(std::min<Index>(folds, n)))};
  std::vector<Folds> out;
  for (int r = 0; r < (groups.are_folds ? 1 : repeats); ++r)
    out.push_back(unordered_folds(n, groups, folds, seed, static_cast<std::uint64_t>(r)));
  return out;
}

}  // namespace gnomon
