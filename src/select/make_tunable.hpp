#pragma once

#include <memory>

#include "gnomon/select/request.hpp"

namespace gnomon {

/// Whether a request is served by such a search rather than along a path: mlp, `groups`, `search` gradient or mackay.
bool is_tuned(const SelectionRequest&);

/// The learner as a function of its parameters. `target` is one column of y, or −1 for all of them (a network).
std::unique_ptr<Learner> make_tunable(const TrainingData&, const SelectionRequest&, Index target);

}  // namespace gnomon
