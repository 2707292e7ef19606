#include "gnomon/select/learner_entry.hpp"

#include <algorithm>

#include "gnomon/core/error.hpp"
#include "gnomon/select/names.hpp"
#include "gnomon/select/request.hpp"
#include "learners/learners.hpp"

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

const std::vector<LearnerEntry>& learner_catalog() {
  static const std::vector<LearnerEntry> entries{
      learners::ridge(),     learners::kernel_ridge(), learners::spectral_cutoff(),
      learners::landweber(), learners::lasso(),        learners::elastic_net(),
      learners::huber(),     learners::svr(),          learners::additive(),
      learners::iwls(),      learners::mlp()};
  return entries;
}

const LearnerEntry& find_learner(std::string_view name) {
  for (const auto& entry : learner_catalog()) {
    if (entry.name == name) return entry;
  }
  refuse_unknown("learner", name, names_of(learner_catalog()));
}

}  // namespace gnomon
