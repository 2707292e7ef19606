#include "best_models.hpp"

#include <algorithm>
#include <cmath>

#include "words.hpp"

namespace gnomon {
namespace {

/// The first and one past the last place of each model, which are consecutive.
std::vector<std::pair<Index, Index>> spans(const SelectionPath& path) {
  std::vector<std::pair<Index, Index>> out;
  for (std::size_t k = 0; k < path.representation.size(); ++k) {
    const auto place = static_cast<Index>(k);
    if (k == 0 || path.representation[k] != path.representation[k - 1]) out.emplace_back(place, place);
    out.back().second = place + 1;
  }
  return out;
}

}  // namespace

std::vector<Index> best_models(const Study& study, const SelectionPath& path) {
  const PathOutcome& c = path.chosen();
  const Vector& value = c.curve.value;
  const double n =
      study.shift || study.weight.size() == 0 ? static_cast<double>(row_count(study)) : study.weight.sum();
  std::vector<Index> best;
  for (const auto& [first, end] : spans(path)) {
    Index least = -1;
    for (Index k = first; k < end; ++k) {
      const bool may = std::isfinite(value[k]) && c.criterion.may_choose(path.df[k], n);
      if (may && (least < 0 || value[k] < value[least])) least = k;
    }
    if (least >= 0) best.push_back(least);
  }
  // The chosen one comes first also where a value between grid points decided.
  const auto key = [&](Index k) {
    const bool chosen = path.representation[static_cast<std::size_t>(k)] == c.representation;
    return std::pair(!chosen, value[k]);
  };
  std::stable_sort(best.begin(), best.end(), [&](Index a, Index b) { return key(a) < key(b); });
  return best;
}

Index model_count(const SelectionPath& path) { return static_cast<Index>(spans(path).size()); }

}  // namespace gnomon
