#pragma once

#include <map>
#include <optional>
#include <string>

#include "select_options.hpp"

namespace gnomon::app {

/// What was typed, by option; kept as text until all of it is there.
using Typed = std::map<std::string, std::string>;

/// Every option that was typed, set in the order of the table.
SelectFlags set_flags(const std::string& data, const Typed& typed);
/// Why an option that was typed does not apply, as a whole sentence; empty where it does.
std::string refusal_of(const Option<SelectFlags>& option, const SelectFlags& flags);

/// set_flags, and a UsageError where one does not apply: it would be ignored without a word. A learner of the caller's own takes the
/// place of the one that is named.
SelectFlags read_flags(const std::string& data, const Typed& typed,
                       const std::optional<LearnerEntry>& own = std::nullopt);

}  // namespace gnomon::app
