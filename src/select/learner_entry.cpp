#include "gnomon/select/learner_entry.hpp"

#include <algorithm>

#include "gnomon/core/error.hpp"
#include "gnomon/select/names.hpp"
#include "gnomon/select/request.hpp"

namespace gnomon {

bool TuningParameter::ends_naturally_at(double value) const {
  return std::find(natural_ends.begin(), natural_ends.end(), value) != natural_ends.end();
}

const Values& TuningParameter::asked(const SelectionRequest& request) const {
  return values ? request.*values : request.tuning;
}

bool LearnerEntry::takes(std::string_view option) const {
  return std::find(options.begin(), options.end(), option) != options.end() ||
         (tuning && tuning->name == option);
}

const PenaltyFilter& LearnerEntry::filter(Penalty penalty) const {
  require(linear(), "{} is not a filter on a spectrum", name);
  if (filters.size() == 1) return filters.front();
  const auto found = std::find_if(filters.begin(), filters.end(),
                                  [&](const PenaltyFilter& f) { return f.penalty == penalty; });
  require(found != filters.end(), "{} has no penalty '{}'", name, name_of(penalty));
  return *found;
}

bool LearnerEntry::takes_importance(Penalty penalty) const {
  return linear() ? filter(penalty).weighted != nullptr : solver != nullptr;
}

}  // namespace gnomon
