#include "gnomon/noise/local.hpp"

#include "sorted_pairs.hpp"

namespace gnomon {

std::optional<double> rice(VectorView x, VectorView y) {
  const Vector sorted = sorted_pairs(x, y).second;
  const Index steps = sorted.size() - 1;
  if (steps < 1) return std::nullopt;
  return (sorted.tail(steps) - sorted.head(steps)).squaredNorm() / (2 * static_cast<double>(steps));
}

}  // namespace gnomon
