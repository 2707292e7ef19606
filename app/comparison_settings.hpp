#pragma once

#include <string>
#include <utility>
#include <vector>

#include "run_study.hpp"
#include "select_options.hpp"

namespace gnomon::app {

/// Options of `select` that have a meaning for `compare`: not other outputs, nor searches that go on from others.
bool is_of_compare(const Option<SelectFlags>& option);

/// Option and value.
std::vector<std::pair<std::string, std::string>> settings_used(const SelectFlags& flags);

/// One learner and its rows: targets as in the file.
struct LearnerRows {
  const SelectFlags* flags;
  StudyRows rows;

  std::string name() const { return rows.request.learner.name(); }
};

/// All that a trial's numbers depend on beside its index.
std::string settings_line(const char* what, const std::vector<const LearnerRows*>& learners,
                          const TrainingData& data, const std::vector<std::string>& names);

}  // namespace gnomon::app
