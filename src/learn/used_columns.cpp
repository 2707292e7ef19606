#include <algorithm>

#include "gnomon/learn/model_file.hpp"

namespace gnomon {

SavedModel without_unused_columns(SavedModel saved) {
  const Basis* basis = saved.model.basis();
  if (!basis || basis->columns().empty() || saved.series) return saved;
  const auto in_use = [&](Index feature) {
    return std::binary_search(basis->columns().begin(), basis->columns().end(), feature);
  };
  std::vector<FeatureSource> sources;
  std::vector<Index> kept;  // features; those of a text column stay together
  Index first = 0;
  for (const FeatureSource& source : saved.plan.sources) {
    const Index end = first + (source.numeric() ? 1 : static_cast<Index>(source.levels.size()));
    bool any = false;
    for (Index j = first; j < end; ++j) any |= in_use(j);
    for (Index j = first; j < end && any; ++j) kept.push_back(j);
    if (any) sources.push_back(source);
    first = end;
  }
  LinearModel narrow = *saved.model.linear();
  narrow.representation = basis->of_inputs(kept);
  saved.model = std::move(narrow);
  saved.plan.sources = std::move(sources);
  saved.scaling = {saved.scaling.shift(kept), saved.scaling.factor(kept)};
  if (saved.held_out) {
    saved.held_out->lower = Vector(saved.held_out->lower(kept));
    saved.held_out->upper = Vector(saved.held_out->upper(kept));
  }
  return saved;
}

}  // namespace gnomon
