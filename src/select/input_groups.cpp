#include "input_groups.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

constexpr int unnamed = -1;

InputGroups one_per_column(const InputColumns& inputs) {
  InputGroups groups{{}, inputs.distinct()};
  for (const auto& column : inputs.of_feature)
    groups.of_feature.push_back(
        static_cast<int>(std::find(groups.names.begin(), groups.names.end(), column) - groups.names.begin()));
  return groups;
}

}  // namespace

InputGroups make_groups(const GroupChoice& choice, const InputColumns& inputs) {
  switch (choice.kind()) {
    case GroupChoice::Kind::none:
    case GroupChoice::Kind::all:
      return {std::vector<int>(inputs.features.size(), 0), {"all"}};
    case GroupChoice::Kind::each:
      return one_per_column(inputs);
    case GroupChoice::Kind::named:
      break;
  }
  InputGroups groups{std::vector<int>(inputs.features.size(), unnamed), {}};
  for (const auto& names : choice.columns()) {
    for (const auto& name : names) {
      for (const Index feature : inputs.features_of(name, "groups")) {
        int& group = groups.of_feature[static_cast<std::size_t>(feature)];
        require(group == unnamed, "`groups`: column '{}' stands in two groups; name it once", name);
        group = static_cast<int>(groups.names.size());
      }
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
  return make_groups(choice, input_columns(data));
}

}  // namespace gnomon
