#include "shift_charts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/data/weights.hpp"
#include "shift/kde.hpp"
#include "shift_words.hpp"
#include "thin.hpp"

namespace gnomon {
namespace {

constexpr Index most_rows = 20000;  // a density curve asks of each point about each row
constexpr Index curve_points = 200;

/// Gaussian kernel density at the points of a grid; the weights need not sum to one.
Vector density(const Vector& values, const Vector& weight, double bandwidth, const Vector& grid) {
  Vector out(grid.size());
  for (Index k = 0; k < grid.size(); ++k) {
    const auto u = (values.array() - grid[k]) / bandwidth;
    out[k] = (weight.array() * (-0.5 * u.square()).exp()).sum();
  }
  return out / (weight.sum() * bandwidth * std::sqrt(2 * M_PI));
}

Vector chosen_weights(const Study& study, const TargetSelection& t) {
  return flattened(study.shift->weight, flattening_of(study, t));
}

std::string chosen_label(const Study& study, const TargetSelection& t) {
  return fmt::format("weight^{}, as in the fit", pretty(flattening_of(study, t), 3));
}

}  // namespace

bool has_density(const VectorView& values) {
  const double low = values.minCoeff(), high = values.maxCoeff();
  return (values.array() != low && values.array() != high).any();
}

Chart density_chart(const Study& study, Index column) {
  const ShiftStudy& shift = *study.shift;
  const std::string& name = study.feature_names[static_cast<std::size_t>(column)];
  const auto rows = random_places(study.x.rows(), most_rows);
  const Vector train = take(study.x.col(column), rows), weight = take(shift.weight, rows);
  const bool tested = shift.test_x.rows() > 0;
  const Vector test =
      tested ? take(shift.test_x.col(column), random_places(shift.test_x.rows(), most_rows)) : Vector();
  const double h_train = normal_reference_bandwidth(train)[0];
  double h_test = tested ? normal_reference_bandwidth(test)[0] : h_train;
  if (!(h_test > 0)) h_test = h_train;
  const double low = std::min(train.minCoeff(), tested ? test.minCoeff() : train.minCoeff()) - 2 * h_train;
  const double high = std::max(train.maxCoeff(), tested ? test.maxCoeff() : train.maxCoeff()) + 2 * h_train;
  const Vector grid = Vector::LinSpaced(curve_points, low, high);
  Chart chart{
      .title = fmt::format("Density of {}", name),
      .description = fmt::format("Densities of {}: training mean {}{}.", name, pretty(train.mean(), 3),
                                 tested ? ", test mean " + pretty(test.mean(), 3) : std::string()),
      .x = {name},
      .y = {"density"},
      .series = {}};
  chart.series.push_back({.label = "training inputs",
                          .x = grid,
                          .y = density(train, Vector::Ones(train.size()), h_train, grid),
                          .emphasised = true});
  if (tested)
    chart.series.push_back({.label = "test inputs",
                            .x = grid,
                            .y = density(test, Vector::Ones(test.size()), h_test, grid),
                            .emphasised = true});
  if (weight.sum() > 0)
    chart.series.push_back({.label = "training inputs, weighted",
                            .style = Series::Style::dashed,
                            .x = grid,
                            .y = density(train, weight, std::min(h_train, h_test), grid)});
  if (tested)
    chart.note = "Where the weights are right, the weighted training inputs follow the test inputs.";
  return chart;
}

Chart weight_chart(const Study& study, const TargetSelection& t) {
  const std::string& name = study.feature_names[0];
  const auto rows = random_places(study.x.rows(), most_points);
  const Vector x = take(study.x.col(0), rows), w = take(study.shift->weight, rows);
  Chart chart{.title = "Weights of the training rows",
              .description = fmt::format("Weights against {}: from {} to {}.", name,
                                         pretty(study.shift->weight.minCoeff(), 3),
                                         pretty(study.shift->weight.maxCoeff(), 3)),
              .x = {name},
              .y = {"weight"},
              .series = {}};
  chart.series.push_back(
      {.label = "weight", .style = Series::Style::points, .x = x, .y = w, .emphasised = true});
  if (flattening_of(study, t) != 1)
    chart.series.push_back({.label = chosen_label(study, t),
                            .style = Series::Style::points,
                            .x = x,
                            .y = take(chosen_weights(study, t), rows)});
  chart.series.push_back({.label = "equal weights",
                          .style = Series::Style::dashed,
                          .x = Vector{{x.minCoeff(), x.maxCoeff()}},
                          .y = Vector::Ones(2)});
  if (static_cast<Index>(rows.size()) < study.x.rows())
    chart.note = fmt::format("{} of {} rows are shown, drawn at random.", rows.size(), study.x.rows());
  return chart;
}

Chart sorted_weight_chart(const Study& study, const TargetSelection& t) {
  constexpr double decades = 1e6;  // below the largest, what is smaller counts for nothing
  const auto descending = [](Vector w) {
    std::sort(w.begin(), w.end(), std::greater<>());
    return w;
  };
  const Vector w = descending(study.shift->weight);
  const auto places = leading_places(w.size(), most_eigenvalues);
  Vector rank(static_cast<Index>(places.size()));
  for (Index k = 0; k < rank.size(); ++k)
    rank[k] = static_cast<double>(places[static_cast<std::size_t>(k)] + 1);
  const Index zeros = (w.array() == 0).count();
  Chart chart{.title = "Weights of the training rows, largest first",
              .description = fmt::format("{} weights in descending order, from {} to {}.", w.size(),
                                         pretty(w[0], 3), pretty(w[w.size() - 1], 3)),
              .x = {"place among the training rows"},
              .y = {"weight", true},
              .series = {}};
  if (w[w.size() - 1] < w[0] / decades) chart.y.lower = w[0] / decades;
  chart.series.push_back({.label = "weight", .x = rank, .y = take(w, places), .emphasised = true});
  if (flattening_of(study, t) != 1)
    chart.series.push_back({.label = chosen_label(study, t),
                            .x = rank,
                            .y = take(descending(chosen_weights(study, t)), places)});
  chart.series.push_back({.label = "equal weights",
                          .style = Series::Style::dashed,
                          .x = Vector{{1.0, static_cast<double>(w.size())}},
                          .y = Vector::Ones(2)});
  if (zeros > 0) chart.note = fmt::format("{} weights of 0 have no place on a log axis.", zeros);
  return chart;
}

}  // namespace gnomon
