#pragma once

#include "core/option.hpp"
#include "gnomon/select/request.hpp"

namespace gnomon {

/// Every option of a request, in the order of manuals: Model, Choice, Output.
const std::vector<Option<SelectionRequest>>& selection_options();

/// Why an option does not belong to the learner asked for, or an empty text: "belongs to `learner` mlp, not to `learner`
/// ridge".
std::string refusal_of_learner(const SelectionRequest& request, std::string_view option);

}  // namespace gnomon
