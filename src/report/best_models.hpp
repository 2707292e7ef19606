#pragma once

#include <vector>

#include "gnomon/report/study.hpp"

namespace gnomon {

/// The places of the path where each basis, kernel or subset that was tried has its least value of the criterion that chose,
/// the best of them first; those without a value are left out.
std::vector<Index> best_models(const Study&, const SelectionPath&);

/// How many there are.
Index model_count(const SelectionPath&);

}  // namespace gnomon
