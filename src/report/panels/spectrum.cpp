#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "report/panel.hpp"
#include "report/thin.hpp"
#include "report/words.hpp"

namespace gnomon {
namespace {

/// The eigenvalue at which the filter lets half of a direction through, for the filters that have it in
/// closed form.
double half_way(const Filter& filter, double lambda) {
  switch (filter.shift) {
    case Shift::plain:
      return lambda;
    case Shift::squared:
      return std::sqrt(lambda);
    case Shift::none:
      break;
  }
  return undefined;
}

}  // namespace

std::vector<Block> spectrum_panel(const Study& study, Index target) {
  const TargetSelection& t = target_of(study, target);
  const SelectionPath* path = t.path();
  if (!path) return {};
  const Spectrum& spectrum = path->spectrum;
  const double lambda = path->chosen().lambda;
  const Index rank = spectrum.values.size();
  if (rank == 0 || !std::isfinite(lambda)) return {};
  const auto places = leading_places(rank, most_eigenvalues);
  const Index shown = static_cast<Index>(places.size());

  Vector index(shown), factor(shown);
  Vector values = take(spectrum.values, places);
  Index vanished = 0;
  for (Index k = 0; k < shown; ++k) {
    index[k] = static_cast<double>(places[static_cast<std::size_t>(k)] + 1);
    factor[k] = 1 - filter_at(spectrum, study.selection.filter, values[k], lambda).complement;
    if (values[k] > 0) continue;
    values[k] = undefined;
    ++vanished;
  }
  std::string note = shown < rank ? fmt::format("{} of {} directions are shown. ", shown, rank) : "";
  Chart eigenvalues{.title = "Eigenvalues of the Gram matrix",
                    .description = fmt::format("{} eigenvalues, from {} down to {}.", rank,
                                               pretty(spectrum.top()), pretty(spectrum.values[rank - 1])),
                    .x = {"direction"},
                    .y = {"eigenvalue", true},
                    .series = {{.label = "eigenvalue", .x = index, .y = values, .emphasised = true}},
                    .note = note};
  const double half = half_way(study.selection.filter, lambda);
  if (half > 0 && std::isfinite(half)) {
    eigenvalues.series.push_back({.label = "half of it let through",
                                  .style = Series::Style::dashed,
                                  .x = Vector{{index[0], index[shown - 1]}},
                                  .y = Vector::Constant(2, half)});
    eigenvalues.note +=
        "Directions above the dashed line are mostly fitted, those below mostly smoothed away.";
  }
  if (vanished > 0)
    eigenvalues.note += fmt::format(" {} zero eigenvalues have no place on a log axis.", vanished);

  Chart factors{
      .title = "Filter factors at the chosen λ",
      .description = fmt::format("The share of each direction that is fitted at λ = {}; they add up to {} "
                                 "degrees of freedom with the intercept.",
                                 pretty(lambda), pretty(t.chosen_df)),
      .x = {"direction"},
      .y = {"share fitted", false, -0.02, 1.02},
      .series = {{.label = "filter factor", .x = index, .y = factor, .emphasised = true}},
      .note = note};
  return {std::move(eigenvalues), std::move(factors)};
}

}  // namespace gnomon
