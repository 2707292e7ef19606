#include "input_groups.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

constexpr int unnamed = -1;

InputGroups one_per_column(const std::vector<std::string>& columns) {
  InputGroups groups;
  for (const auto& column : columns) {
    const auto at = std::find(groups.names.begin(), groups.names.end(), column);
    groups.of_feature.push_back(static_cast<int>(at - groups.names.begin()));
    if (at == groups.names.end()) groups.names.push_back(column);
  }
  return groups;
}

/// Puts the features of one name into a group; false if there is no such name.
bool assign(const std::string& name, int group, const std::vector<std::string>& features,
            const std::vector<std::string>& columns, InputGroups& groups) {
  bool found = false;
  for (std::size_t j = 0; j < features.size(); ++j) {
    if (columns[j] != name && features[j] != name) continue;
    require(groups.of_feature[j] == unnamed, "`groups`: column '{}' stands in two groups; name it once",
            name);
    groups.of_feature[j] = group;
    found = true;
  }
  return found;
}

}  // namespace

InputGroups make_groups(const GroupChoice& choice, const std::vector<std::string>& features,
                        const std::vector<std::string>& columns) {
  switch (choice.kind()) {
    case GroupChoice::Kind::none:
    case GroupChoice::Kind::all:
      return {std::vector<int>(features.size(), 0), {"all"}};
    case GroupChoice::Kind::each:
      return one_per_column(columns);
    case GroupChoice::Kind::named:
      break;
  }
  InputGroups groups{std::vector<int>(features.size(), unnamed), {}};
  for (const auto& names : choice.columns()) {
    for (const auto& name : names) {
      if (!assign(name, static_cast<int>(groups.names.size()), features, columns, groups))
        fail("`groups`: no input column '{}' among {}{}", name, join(columns), suggestion(name, columns));
    }
    groups.names.push_back(join(names));
  }
  if (std::find(groups.of_feature.begin(), groups.of_feature.end(), unnamed) != groups.of_feature.end()) {
    std::replace(groups.of_feature.begin(), groups.of_feature.end(), unnamed,
                 static_cast<int>(groups.names.size()));
    const bool taken = std::find(groups.names.begin(), groups.names.end(), "others") != groups.names.end();
    groups.names.emplace_back(taken ? "all others" : "others");
  }
  return groups;
}

InputGroups groups_of(const TrainingData& data, const GroupChoice& choice) {
  std::vector<std::string> names = data.feature_names;
  for (Index j = static_cast<Index>(names.size()); j < data.x.cols(); ++j)
    names.push_back(fmt::format("x{}", j + 1));
  return make_groups(choice, names, data.feature_columns.empty() ? names : data.feature_columns);
}

}  // namespace gnomon
