#pragma once

#include "gnomon/select/request.hpp"

namespace gnomon {

/// Some of the rows, with all that belongs to them; test rows stay behind.
TrainingData rows_of(const TrainingData& data, const std::vector<Index>& rows);

}  // namespace gnomon
