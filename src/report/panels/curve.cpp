#include <algorithm>
#include <cmath>
#include <limits>

#include "../thin.hpp"
#include "../words.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/text.hpp"
#include "gnomon/report/panel.hpp"

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

/// The curve at the criterion's own best width.
Series series_of(const TargetSelection& t, const CriterionOutcome& c) {
  const auto places = path_at_width(t, c.width);
  const Vector lambda = Eigen::Map<const Vector>(t.lambda.data(), static_cast<Index>(t.lambda.size()));
  const bool chosen = &c == &t.chosen();
  Series series{.label = c.label, .x = take(lambda, places), .y = take(c.curve.value, places)};
  if (!t.width.empty() && std::isfinite(c.width))
    series.label += fmt::format(" (width {})", pretty(c.width, 3));
  if (chosen && c.curve.standard_error.size() == c.curve.value.size()) {
    series.band = take(c.curve.standard_error, places);
  }
  if (c.selected) series.picked_x = c.selected->lambda, series.picked_y = c.selected->value;
  series.emphasised = chosen;
  return series;
}

Series truth_series(const Study& study, const TargetSelection& t) {
  const auto places = path_at_width(t, t.chosen_width);
  const Vector lambda = Eigen::Map<const Vector>(t.lambda.data(), static_cast<Index>(t.lambda.size()));
  Series series{.label = "truth",
                .style = Series::Style::dashed,
                .x = take(lambda, places),
                .y = take(study.truth->value, places)};
  Index best = -1;
  for (Index k = 0; k < series.y.size(); ++k) {
    if (std::isfinite(series.y[k]) && (best < 0 || series.y[k] < series.y[best])) best = k;
  }
  if (best >= 0) series.picked_x = series.x[best], series.picked_y = series.y[best];
  return series;
}

/// The automatic path runs from the interpolant to the null model, most of it far from any minimum. The axis
/// shows the minima with a third of the path, and no less than four decades, to either side.
void fit_lambda_axis(Chart& chart) {
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
/// the higher of its two ends, or the lower one if the higher would flatten the valley between them; what
/// lies above is cut off, unless little is gained by it. Returns the largest value of all.
double fit_value_axis(Chart& chart) {
  constexpr double flattening = 6;
  Range all, shown;
  for (const Series& s : chart.series) {
    Range own;
    double first = undefined, last = undefined;
    for (Index k = 0; k < s.y.size(); ++k) {
      all.include(s.y[k]);
      const bool visible = s.x[k] >= chart.x.lower.value_or(0) && s.x[k] <= chart.x.upper.value_or(infinity);
      if (!std::isfinite(s.y[k]) || !visible) continue;
      own.include(s.y[k]);
      if (std::isnan(first)) first = s.y[k];
      last = s.y[k];
    }
    if (std::isnan(first)) continue;
    const auto [lower_end, higher_end] = std::minmax(first, last);
    const double depth = lower_end - own.low;
    const bool valley = depth > 1e-3 * std::max(std::abs(lower_end), std::abs(own.low));
    shown.include(own.low);
    shown.include(valley && higher_end - own.low > flattening * depth ? lower_end : higher_end);
    shown.include(s.picked_y);
    if (s.band.size() == 0) continue;
    Index place = 0;
    s.y.array().isFinite().select(s.y.array(), infinity).minCoeff(&place);
    shown.include(s.y[place] + s.band[place]);
    shown.include(s.y[place] - s.band[place]);
  }
  if (!(shown.low <= shown.high)) return all.high;
  const double height = shown.high - shown.low;
  if (shown.low > 0 && shown.high > 30 * shown.low) {
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

void fit_axes(Chart& chart) {
  fit_lambda_axis(chart);
  const double highest = fit_value_axis(chart);
  std::vector<std::string> left_out;
  if (chart.y.upper && highest > *chart.y.upper) {
    left_out.push_back(
        fmt::format("values above {} (the largest is {})", pretty(*chart.y.upper, 3), pretty(highest, 3)));
  }
  if (chart.x.lower || chart.x.upper) left_out.emplace_back("λ far from every minimum");
  if (left_out.empty()) return;
  chart.zoomed = true;
  chart.note = fmt::format("The first view leaves out {}.", join(left_out, " and "));
}

void describe(Chart& chart) {
  std::vector<std::string> parts;
  for (const Series& s : chart.series) {
    parts.push_back(std::isfinite(s.picked_x) ? fmt::format("{} is least at λ = {} with value {}", s.label,
                                                            pretty(s.picked_x), pretty(s.picked_y))
                                              : s.label);
  }
  chart.description = fmt::format("Curves against λ: {}.", join(parts, "; "));
}

}  // namespace

std::vector<Block> curve_panel(const Study& study, Index target) {
  const TargetSelection& t = target_of(study, target);
  std::vector<Block> blocks;
  bool truth_drawn = !study.truth || study.truth->value.size() != static_cast<Index>(t.lambda.size());
  const auto finish = [&](Chart& chart) {
    if (t.lambda.size() > 1) chart.markers.push_back({t.chosen_lambda, "chosen λ"});
    fit_axes(chart);
    describe(chart);
    for (const Series& s : chart.series) {
      if (s.band.size() > 0)
        chart.note += (chart.note.empty() ? "" : " ") + s.label + ": band of ± 1 standard error.";
      if (s.label == "truth")
        chart.note += (chart.note.empty() ? "" : " ") + ("truth: " + study.truth->description) + ".";
    }
    if (t.lambda.front() == 0) chart.note += " λ = 0 has no place on a log axis and is left out.";
    blocks.emplace_back(std::move(chart));
  };
  for (const Quantity quantity : all_quantities) {
    Chart chart{.title = std::string(title_of(quantity)),
                .description = "",
                .x = {"λ", true},
                .y = {std::string(axis_label_of(quantity))},
                .series = {}};
    for (const CriterionOutcome& c : t.criteria) {
      if (quantity_of(c) == quantity && c.curve.value.array().isFinite().any())
        chart.series.push_back(series_of(t, c));
    }
    if (chart.series.empty()) continue;
    if (quantity == Quantity::prediction_error && !truth_drawn) {
      chart.series.push_back(truth_series(study, t));
      truth_drawn = true;
    }
    finish(chart);
  }
  if (!truth_drawn) {
    Chart chart{.title = "True error",
                .description = "",
                .x = {"λ", true},
                .y = {"squared error"},
                .series = {truth_series(study, t)}};
    finish(chart);
  }
  return blocks;
}

}  // namespace gnomon
