#pragma once

#include "searcher.hpp"

namespace gnomon {

/// Searches over several regularization parameters at once, by gradient or by MacKay's updates; the counterpart of a path over λ.
std::unique_ptr<Searcher> search_parameters(const TrainingData& data, const SelectionRequest& request,
                                            const Progress& progress);

/// Checks what can be checked before any data are read.
void check_tuned_request(const SelectionRequest& request);

}  // namespace gnomon
