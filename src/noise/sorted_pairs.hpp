#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "gnomon/core/error.hpp"
#include "gnomon/core/types.hpp"

namespace gnomon {

/// x and y in the order of x; equal inputs keep their order.
inline std::pair<Vector, Vector> sorted_pairs(VectorView x, VectorView y) {
  require(x.size() == y.size(), "{} inputs for {} targets: give one target per input", x.size(), y.size());
  std::vector<Index> order(static_cast<std::size_t>(x.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return x[i] < x[j]; });
  return {x(order), y(order)};
}

}  // namespace gnomon
