#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnomon/core/types.hpp"
#include "gnomon/select/request.hpp"
#include "input_columns.hpp"

namespace gnomon {

/// Features that share a regularization parameter.
struct InputGroups {
  std::vector<int> of_feature;     ///< 0 … names.size()−1
  std::vector<std::string> names;  ///< "age", "height, weight"
};

/// Puts the named columns into groups, and all columns not named into one more, "others"; "each" makes one group per column;
/// "all" or no choice one for everything. A text column that became several features counts as one
/// column; a single feature ("sex=F") may be named as well.
InputGroups make_groups(const GroupChoice& choice, const InputColumns& inputs);

/// The groups of the inputs of a data set.
InputGroups groups_of(const TrainingData& data, const GroupChoice& choice);

}  // namespace gnomon
