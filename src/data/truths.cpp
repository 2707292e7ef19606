#include "truths.hpp"

#include <limits>

#include "cell.hpp"

namespace gnomon {

std::optional<Vector> truths_in(const TextColumn& text) {
  if (text.levels.empty()) return std::nullopt;
  std::vector<double> of_level;
  for (const auto& level : text.levels) {
    const auto truth = detail::truth_value(level);
    if (!truth) return std::nullopt;
    of_level.push_back(*truth);
  }
  Vector out(static_cast<Index>(text.codes.size()));
  for (Index row = 0; row < out.size(); ++row) {
    const int code = text.codes[static_cast<std::size_t>(row)];
    out[row] = code < 0 ? std::numeric_limits<double>::quiet_NaN() : of_level[static_cast<std::size_t>(code)];
  }
  return out;
}

}  // namespace gnomon
