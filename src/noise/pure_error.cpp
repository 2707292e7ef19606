#include "gnomon/noise/local.hpp"
#include "replicates.hpp"

namespace gnomon {

std::optional<double> pure_error(MatrixView x, VectorView y, VectorView weight) {
  const Replicates repeats = replicates_of(x, y, weight);
  return repeats.freedom > 0 ? std::optional(repeats.squares / repeats.freedom) : std::nullopt;
}

}  // namespace gnomon
