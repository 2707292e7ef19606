#include "smallest_exponent.hpp"

namespace gnomon {

bool takes_smallest_exponent(const Criterion& criterion, const SelectionRequest& request) {
  return request.learner->tunes_exponent() && std::holds_alternative<LeftOutByImportance>(criterion.formula);
}

const PathMinimum& smallest_exponent(const std::vector<PathMinimum>& minima, const PathMinimum& best,
                                     const std::vector<TargetPath>& paths, const Vector& difference_error) {
  constexpr double share = 0.3;
  const std::string& basis = paths[best.path].candidate->representation;
  for (const PathMinimum& each : minima) {
    if (each.path == best.path || paths[each.path].candidate->representation != basis) continue;
    const bool smaller = paths[each.path].candidate->tuning < paths[best.path].candidate->tuning;
    const double excess = each.found.value - best.found.value;
    if (smaller && excess <= share * difference_error[each.place]) return each;
  }
  return best;
}

}  // namespace gnomon
