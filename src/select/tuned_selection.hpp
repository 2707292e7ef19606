#pragma once

#include "gnomon/select/selection.hpp"

namespace gnomon {

/// Selection by a search over several regularization parameters at once; the counterpart of a path over λ.
Selection select_tuned(const TrainingData& data, const SelectionRequest& request, const Progress& progress);

/// Checks what can be checked before any data are read.
void check_tuned_request(const SelectionRequest& request);

}  // namespace gnomon
