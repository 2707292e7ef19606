#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/option.hpp"
#include "gnomon/report/study.hpp"

namespace gnomon {

/// One option as it was asked for and as it was used.
struct Setting {
  std::string name;   ///< of the option: "decay-groups"
  std::string label;  ///< in reports: "decays"
  OptionKind kind = OptionKind::text;
  std::string asked{}, used{};
  std::optional<double> number{};  ///< what was used, where it is one number
};

/// Every option that plays a part in a study: those of the selection, then those of the data.
std::vector<Setting> settings_of(const Study& study, Index target);

}  // namespace gnomon
