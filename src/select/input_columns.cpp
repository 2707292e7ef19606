#include "input_columns.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon {

std::vector<std::string> InputColumns::distinct() const {
  std::vector<std::string> names;
  for (const auto& column : of_feature) {
    if (std::find(names.begin(), names.end(), column) == names.end()) names.push_back(column);
  }
  return names;
}

std::vector<Index> InputColumns::features_of(const std::string& name, std::string_view option) const {
  std::vector<Index> places;
  for (std::size_t j = 0; j < features.size(); ++j) {
    if (of_feature[j] == name || features[j] == name) places.push_back(static_cast<Index>(j));
  }
  if (places.empty())
    fail("`{}`: no input column '{}' among {}{}", option, name, join(distinct()),
         suggestion(name, of_feature));
  return places;
}

InputColumns input_columns(const TrainingData& data) {
  InputColumns names{data.feature_names, data.feature_columns};
  for (Index j = static_cast<Index>(names.features.size()); j < data.x.cols(); ++j)
    names.features.push_back(fmt::format("x{}", j + 1));
  if (names.of_feature.empty()) names.of_feature = names.features;
  return names;
}

}  // namespace gnomon
