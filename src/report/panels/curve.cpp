#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "report/best_models.hpp"
#include "report/panel.hpp"
#include "report/thin.hpp"
#include "report/words.hpp"

namespace gnomon {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// What a chart must show, and what it holds.
struct Range {
  double low = infinity, high = -infinity;
  void include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

constexpr std::size_t most_numbered = 20;  // bases, kernels or subsets on an axis
constexpr std::size_t best_numbered = 10;  // of more than that

/// Where each has one point: the places of those that the axis numbers 1, 2, …, in that order. All of them as they were tried, or
/// of very many the best, best first, with those that other criteria would choose.
std::vector<Index> numbered(const Study& study, const SelectionPath& path) {
  std::vector<Index> places(path.lambda.size());
  std::iota(places.begin(), places.end(), Index{0});
  if (places.size() <= most_numbered) return places;
  const auto best = best_models(study, path);
  places.clear();
  for (std::size_t i = 0; i < best.size(); ++i) {
    const std::string& name = path.representation[static_cast<std::size_t>(best[i])];
    const bool picked = std::any_of(path.criteria.begin(), path.criteria.end(),
                                    [&](const PathOutcome& c) { return c.representation == name; });
    if (i < best_numbered || picked) places.push_back(best[i]);
  }
  return places;
}

/// Where a criterion's choice lies on the axis.
double position_of(const SelectionPath& path, const PathOutcome& c, const std::vector<Index>& places) {
  switch (path_axis(path).along) {
    case PathAxis::Along::lambda:
      return c.lambda;
    case PathAxis::Along::tuning:
      return c.tuning;
    case PathAxis::Along::representation:
      break;
  }
  const auto at = std::find_if(places.begin(), places.end(), [&](Index k) {
    return path.representation[static_cast<std::size_t>(k)] == c.representation;
  });
  return at == places.end() ? undefined : static_cast<double>(at - places.begin() + 1);
}

/// The points that one curve joins: those of one candidate along λ, or all of them along what takes the place of λ.
std::vector<Index> path_along(const Study& study, const SelectionPath& path, const PathOutcome& c) {
  const auto along = path_axis(path).along;
  if (along == PathAxis::Along::lambda) return path_at(path, c);
  if (along == PathAxis::Along::representation) return numbered(study, path);
  std::vector<Index> places;
  for (std::size_t k = 0; k < path.lambda.size(); ++k) {
    if (path.representation.empty() || path.representation[k] == c.representation)
      places.push_back(static_cast<Index>(k));
  }
  return places;
}

/// Where they lie on the axis.
Vector positions(const SelectionPath& path, const std::vector<Index>& places) {
  const auto along = path_axis(path).along;
  Vector out = Vector::LinSpaced(static_cast<Index>(places.size()), 1, static_cast<double>(places.size()));
  if (along == PathAxis::Along::representation) return out;
  const std::vector<double>& values = along == PathAxis::Along::lambda ? path.lambda : path.tuning;
  for (std::size_t i = 0; i < places.size(); ++i)
    out[static_cast<Index>(i)] = values[static_cast<std::size_t>(places[i])];
  return out;
}

/// The curve at the criterion's own best candidate.
Series series_of(const Study& study, const SelectionPath& path, const PathOutcome& c) {
  const auto along = path_axis(path).along;
  const auto places = path_along(study, path, c);
  const bool chosen = &c == &path.chosen();
  Series series{.label = c.label, .x = positions(path, places), .y = take(c.curve.value, places)};
  if (!path.width.empty() && std::isfinite(c.width))
    series.label += fmt::format(" (width {})", pretty(c.width, 3));
  if (along == PathAxis::Along::lambda && !path.tuning.empty() && std::isfinite(c.tuning))
    series.label += fmt::format(" ({} {})", path.tuning_name, pretty(c.tuning, 3));
  if (along != PathAxis::Along::representation && !c.representation.empty())
    series.label += fmt::format(" ({})", c.representation);
  if (chosen && c.curve.standard_error.size() == c.curve.value.size()) {
    series.band = take(c.curve.standard_error, places);
  }
  if (c.selected) series.picked_x = position_of(path, c, places), series.picked_y = c.selected->value;
  series.emphasised = chosen;
  return series;
}

Series truth_series(const Study& study, const SelectionPath& path) {
  const auto places = path_along(study, path, path.chosen());
  Series series{.label = "truth",
                .style = Series::Style::dashed,
                .x = positions(path, places),
                .y = take(study.truth->value, places)};
  Index best = -1;
  for (Index k = 0; k < series.y.size(); ++k) {
    if (std::isfinite(series.y[k]) && (best < 0 || series.y[k] < series.y[best])) best = k;
  }
  if (best >= 0) series.picked_x = series.x[best], series.picked_y = series.y[best];
  return series;
}

/// "1 linear, 2 polynomial:2": what the numbers on the axis stand for.
std::string numbers_in_words(const Study& study, const SelectionPath& path) {
  std::vector<std::string> parts;
  for (const Index k : numbered(study, path))
    parts.push_back(fmt::format("{} {}", parts.size() + 1, path.representation[static_cast<std::size_t>(k)]));
  const bool all = parts.size() == path.representation.size();
  const std::string which =
      all ? "" : fmt::format("The best of {} by {}: ", path.representation.size(), path.chosen().label);
  return which + join(parts, "; ");
}

/// The automatic path runs from the interpolant to the null model, most of it far from any minimum. The axis
/// shows the minima with a third of the path, and no less than four decades, to either side.
void fit_lambda_axis(Chart& chart) {
  if (!chart.x.log) return;
  Range path, picked;
  for (const Series& s : chart.series) {
    for (const double lambda : s.x) {
      if (lambda > 0) path.include(std::log10(lambda));
    }
    if (s.picked_x > 0) picked.include(std::log10(s.picked_x));
  }
  if (!(picked.low <= picked.high)) return;
  const double margin = std::max(4.0, (path.high - path.low) / 3);
  if (picked.low - margin > path.low + 1) chart.x.lower = std::pow(10, std::floor(picked.low - margin));
  if (picked.high + margin < path.high - 1) chart.x.upper = std::pow(10, std::ceil(picked.high + margin));
}

/// Curves may rise by powers of ten towards interpolation. The axis shows every minimum and each curve up to
/// the higher of its two ends, or if that would flatten the valley between them the lower one, and what is near the
/// minimum; what lies above is cut off, unless little is gained by it. Values that have a zero, `by_ratio`, may go on a log axis; a log
/// likelihood and an error less a constant have none. Returns the largest value of all.
double fit_value_axis(Chart& chart, bool by_ratio) {
  constexpr double flattening = 6;
  constexpr std::ptrdiff_t near = 8;  // the part of the visible points that is near to either side
  Range all, shown;
  for (const Series& s : chart.series) {
    std::vector<double> own;  // visible
    for (Index k = 0; k < s.y.size(); ++k) {
      all.include(s.y[k]);
      const bool visible = s.x[k] >= chart.x.lower.value_or(0) && s.x[k] <= chart.x.upper.value_or(infinity);
      if (std::isfinite(s.y[k]) && visible) own.push_back(s.y[k]);
    }
    if (own.empty()) continue;
    const auto [lower_end, higher_end] = std::minmax(own.front(), own.back());
    const auto lowest = std::min_element(own.begin(), own.end());
    const auto reach = std::ssize(own) / near;
    const double around = *std::max_element(lowest - std::min(reach, lowest - own.begin()),
                                            lowest + std::min(reach + 1, own.end() - lowest));
    const double depth = lower_end - *lowest;
    const bool valley = depth > 1e-3 * std::max(std::abs(lower_end), std::abs(*lowest));
    shown.include(*lowest);
    shown.include(valley && higher_end - *lowest > flattening * depth ? std::max(lower_end, around)
                                                                      : higher_end);
    shown.include(s.picked_y);
    if (s.band.size() == 0) continue;
    Index place = 0;
    s.y.array().isFinite().select(s.y.array(), infinity).minCoeff(&place);
    shown.include(s.y[place] + s.band[place]);
    shown.include(s.y[place] - s.band[place]);
  }
  if (!(shown.low <= shown.high)) return all.high;
  const double height = shown.high - shown.low;
  if (by_ratio && shown.low > 0 && shown.high > 30 * shown.low) {
    chart.y.log = true;
    chart.y.lower = shown.low / 1.2;
    chart.y.upper = shown.high * 1.2;
  } else {
    const double margin = height > 0 ? 0.05 * height : 0.05 * std::max(std::abs(shown.high), 1e-300);
    chart.y.lower = shown.low - margin;
    chart.y.upper = all.high < shown.high + 0.5 * height ? all.high + margin : shown.high + 2 * margin;
  }
  return all.high;
}

void fit_axes(Chart& chart, bool by_ratio) {
  fit_lambda_axis(chart);
  const double highest = fit_value_axis(chart, by_ratio);
  std::vector<std::string> left_out;
  if (chart.y.upper && highest > *chart.y.upper) {
    left_out.push_back(
        fmt::format("values above {} (the largest is {})", pretty(*chart.y.upper, 3), pretty(highest, 3)));
  }
  if (chart.x.lower || chart.x.upper) left_out.push_back(chart.x.label + " far from every minimum");
  if (left_out.empty()) return;
  chart.zoomed = true;
  chart.note = fmt::format("The first view leaves out {}.", join(left_out, " and "));
}

void describe(Chart& chart) {
  std::vector<std::string> parts;
  for (const Series& s : chart.series) {
    parts.push_back(std::isfinite(s.picked_x)
                        ? fmt::format("{} is least at {} = {} with value {}", s.label, chart.x.label,
                                      pretty(s.picked_x), pretty(s.picked_y))
                        : s.label);
  }
  chart.description = fmt::format("Curves against {}: {}.", chart.x.label, join(parts, "; "));
}

}  // namespace

std::vector<Block> curve_panel(const Study& study, Index target) {
  const SelectionPath* found = target_of(study, target).path();
  if (!found) return {};  // no path over one parameter; see the convergence panel
  const SelectionPath& path = *found;
  const Axis along{path_axis(path).label, path_axis(path).log};
  std::vector<Block> blocks;
  bool truth_drawn = !study.truth || study.truth->value.size() != static_cast<Index>(path.lambda.size());
  const auto finish = [&](Chart& chart, bool by_ratio) {
    const PathAxis axis = path_axis(path);
    if (path.lambda.size() > 1)
      chart.markers.push_back(
          {position_of(path, path.chosen(), path_along(study, path, path.chosen())), "chosen " + axis.label});
    fit_axes(chart, by_ratio);
    describe(chart);
    for (const Series& s : chart.series) {
      if (s.band.size() > 0)
        chart.note += (chart.note.empty() ? "" : " ") + s.label + ": band of ± 1 standard error.";
      if (s.label == "truth")
        chart.note += (chart.note.empty() ? "" : " ") + ("truth: " + study.truth->description) + ".";
    }
    if (axis.along == PathAxis::Along::representation)
      chart.note += (chart.note.empty() ? "" : " ") + numbers_in_words(study, path) + ".";
    if (axis.is_lambda() && path.lambda.front() == 0)
      chart.note += " λ = 0 has no place on a log axis and is left out.";
    blocks.emplace_back(std::move(chart));
  };
  for (const Quantity quantity : all_quantities) {
    Chart chart{.title = std::string(title_of(quantity)),
                .description = "",
                .x = along,
                .y = {std::string(axis_label_of(quantity))},
                .series = {}};
    for (const PathOutcome& c : path.criteria) {
      if (quantity_of(c) == quantity && c.curve.value.array().isFinite().any())
        chart.series.push_back(series_of(study, path, c));
    }
    if (chart.series.empty()) continue;
    if (quantity == Quantity::prediction_error && !truth_drawn) {
      chart.series.push_back(truth_series(study, path));
      truth_drawn = true;
    }
    finish(chart, has_zero(quantity));
  }
  if (!truth_drawn) {
    Chart chart;
    chart.title = "True error";
    chart.x = along;
    chart.y.label = "squared error";
    chart.series.push_back(truth_series(study, path));
    finish(chart, true);
  }
  return blocks;
}

}  // namespace gnomon
