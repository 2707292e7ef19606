#include "column_subsets.hpp"

#include <algorithm>
#include <bit>

#include "candidates.hpp"
#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "input_columns.hpp"
#include "make_tunable.hpp"

namespace gnomon {
namespace {

constexpr std::size_t most_columns_of_every = 12;
constexpr std::size_t most_subset_models = 4095;  // 2^12 − 1
constexpr double most_design_entries = 30e6;      // with their decompositions some 1.3 GB

using Names = std::vector<std::string>;

std::vector<Names> first_columns(const Names& columns) {
  std::vector<Names> subsets;
  for (std::size_t k = 1; k <= columns.size(); ++k)
    subsets.emplace_back(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(k));
  return subsets;
}

/// By size, and among equal ones in the order of the columns.
std::vector<Names> every_subset(const Names& columns) {
  if (columns.size() > most_columns_of_every)
    fail(
        "`subsets` every: {} columns have 2^{} − 1 subsets, and those of {} are the most that are tried; "
        "name "
        "some of them, take nested, or `drop` columns",
        columns.size(), columns.size(), most_columns_of_every);
  std::vector<Names> subsets;
  for (unsigned members = 1; members < 1U << columns.size(); ++members) {
    Names& subset = subsets.emplace_back();
    for (std::size_t j = 0; j < columns.size(); ++j)
      if (members >> (columns.size() - 1 - j) & 1U) subset.push_back(columns[j]);
  }
  std::reverse(subsets.begin(), subsets.end());  // the first column varies last
  std::stable_sort(subsets.begin(), subsets.end(),
                   [](const Names& a, const Names& b) { return a.size() < b.size(); });
  return subsets;
}

std::vector<Names> names_of_subsets(const SubsetChoice& choice, const InputColumns& inputs) {
  switch (choice.kind()) {
    case SubsetChoice::Kind::nested:
      return first_columns(inputs.distinct());
    case SubsetChoice::Kind::every:
      return every_subset(inputs.distinct());
    case SubsetChoice::Kind::none:
    case SubsetChoice::Kind::named:
      break;
  }
  return choice.columns();
}

/// In the order of the columns, whatever order they were named in.
ColumnSubset subset_of(const Names& names, const InputColumns& inputs) {
  std::vector<std::pair<std::vector<Index>, std::string>> members;
  ColumnSubset subset;
  for (const auto& name : names) {
    members.emplace_back(inputs.features_of(name, "subsets"), name);
    const auto& places = members.back().first;
    subset.features.insert(subset.features.end(), places.begin(), places.end());
  }
  std::sort(members.begin(), members.end());
  std::sort(subset.features.begin(), subset.features.end());
  Names ordered;
  for (auto& member : members) ordered.push_back(std::move(member.second));
  subset.name = join(ordered);
  require(std::adjacent_find(subset.features.begin(), subset.features.end()) == subset.features.end(),
          "`subsets`: '{}' names a column twice; name it once", subset.name);
  return subset;
}

/// Every model is kept until the last of them is judged.
void check_size(const std::vector<ColumnSubset>& subsets, const TrainingData& data,
                const SelectionRequest& request) {
  const std::size_t bases = std::max<std::size_t>(1, request.basis.alternatives().size());
  const std::size_t models = subsets.size() * bases;
  require(models <= most_subset_models,
          "`subsets`: {} models ({} subsets on {} bases) are more than the {} that are tried; name fewer",
          models, subsets.size(), bases, most_subset_models);
  double columns = 0;
  for (const ColumnSubset& subset : subsets) columns += static_cast<double>(subset.features.size());
  const double entries = columns * static_cast<double>(bases) * static_cast<double>(data.y.rows());
  require(subsets.size() == 1 || entries <= most_design_entries,
          "`subsets`: {} models of {} rows do not fit the memory that is set aside for them; name fewer",
          models, data.y.rows());
}

}  // namespace

std::vector<ColumnSubset> column_subsets(const TrainingData& data, const SelectionRequest& request) {
  const InputColumns inputs = input_columns(data);
  std::vector<ColumnSubset> subsets;
  for (const Names& names : names_of_subsets(request.subsets, inputs)) {
    subsets.push_back(subset_of(names, inputs));
    if (request.subsets.kind() != SubsetChoice::Kind::named) continue;
    const ColumnSubset& last = subsets.back();
    const auto first = std::find_if(subsets.begin(), subsets.end(),
                                    [&](const ColumnSubset& each) { return each.features == last.features; });
    require(&*first == &last, "`subsets`: '{}' is named twice; name it once", last.name);
  }
  check_size(subsets, data, request);
  return subsets;
}

std::string no_subsets(const SelectionRequest& request) {
  const Inputs inputs = request.learner->inputs;
  if (uses_kernel(request))
    return fmt::format(
        "belongs to learners on a basis, not to a kernel{}: `search` gradient gives every input "
        "of kernel-ridge a width of its own",
        inputs == Inputs::either ? " (give `basis`)" : "");
  if (inputs != Inputs::basis && inputs != Inputs::either)
    return fmt::format("belongs to learners on a basis, such as ridge or lasso, not to `learner` {}",
                       request.learner);
  if (is_tuned(request)) return "belongs to a path of one lambda, not to a search over several parameters";
  return request.basis.is_fitted() ? "needs a basis by name, to be fitted to each of them" : "";
}

}  // namespace gnomon
