#include "partitions.hpp"

#include <algorithm>

namespace gnomon {

std::vector<Folds> partitions_of(const Criterion& criterion, Index n, int folds, int repeats,
                                 std::uint64_t seed) {
  const int k = static_cast<int>(std::min<Index>(folds, n));
  if (criterion.partition == Criterion::Partition::blocks) return {blocked_folds(n, k)};
  std::vector<Folds> out;
  for (int r = 0; r < repeats; ++r) out.push_back(random_folds(n, k, seed, static_cast<std::uint64_t>(r)));
  return out;
}

}  // namespace gnomon
