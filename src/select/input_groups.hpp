#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnomon/core/types.hpp"
#include "gnomon/select/request.hpp"

namespace gnomon {

/// Features that share a regularization parameter.
struct InputGroups {
  std::vector<int> of_feature;     ///< 0 … names.size()−1
  std::vector<std::string> names;  ///< "age", "height, weight"
};

/// Puts the named columns into groups, and all columns not named into one more, "others"; "each" makes one group per column;
/// "all" or no choice one for everything. A text column that became several features counts as one
/// column; a single feature ("sex=F") may be named as well. `columns` holds the column that each feature came from.
InputGroups make_groups(const GroupChoice& choice, const std::vector<std::string>& features,
                        const std::vector<std::string>& columns);

/// The groups of the inputs of a data set; those without a name are x1, x2, …
InputGroups groups_of(const TrainingData& data, const GroupChoice& choice);

}  // namespace gnomon
