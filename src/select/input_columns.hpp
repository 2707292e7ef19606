#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnomon/select/request.hpp"

namespace gnomon {

/// The names of the inputs. A text column becomes several features, which go by its name together, or one by one ("sex=F").
struct InputColumns {
  std::vector<std::string> features;
  std::vector<std::string> of_feature;  ///< the column that each feature came from

  /// The columns, each once, in their order.
  std::vector<std::string> distinct() const;
  /// The features that a name stands for; an Error, which begins with the option that named it, where there are none.
  std::vector<Index> features_of(const std::string& name, std::string_view option) const;
};

/// Of a data set; inputs without a name are x1, x2, …
InputColumns input_columns(const TrainingData& data);

}  // namespace gnomon
