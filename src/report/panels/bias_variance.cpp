#include <cmath>

#include "report/panel.hpp"
#include "report/thin.hpp"
#include "report/words.hpp"

namespace gnomon {
namespace {

/// The first criterion that tells bias and variance apart, which is sic; null where none does.
const PathOutcome* that_tells(const SelectionPath& path) {
  for (const PathOutcome& c : path.criteria) {
    if (c.curve.variance.size() == c.curve.value.size() && c.selected) return &c;
  }
  return nullptr;
}

/// Four decades of λ to either side of the choice, and what the curves do there: towards interpolation they rise by powers of ten.
void show_around(double chosen, Chart& chart) {
  constexpr double decades = 1e4;
  double low = HUGE_VAL, high = -HUGE_VAL;
  bool cut = false;
  for (const Series& s : chart.series) {
    for (Index k = 0; k < s.x.size(); ++k) {
      if (!(s.x[k] >= chosen / decades && s.x[k] <= chosen * decades)) {
        cut = true;
        continue;
      }
      low = std::fmin(low, s.y[k]), high = std::fmax(high, s.y[k]);
    }
  }
  if (!cut || !(low < high)) return;
  chart.x.lower = chosen / decades, chart.x.upper = chosen * decades;
  chart.y.lower = low - 0.05 * (high - low), chart.y.upper = high + 0.05 * (high - low);
  chart.zoomed = true;
  chart.note = "The first view leaves out λ far from the chosen one.";
}

}  // namespace

std::vector<Block> bias_variance_panel(const Study& study, Index target) {
  const SelectionPath* path = target_of(study, target).path();
  const PathOutcome* judged = path ? that_tells(*path) : nullptr;
  if (!judged || !path_axis(*path).is_lambda()) return {};
  const auto places = path_at(*path, path->chosen());
  if (places.size() < 2) return {};
  Vector lambda(static_cast<Index>(places.size()));
  for (Index k = 0; k < lambda.size(); ++k)
    lambda[k] = path->lambda[static_cast<std::size_t>(places[static_cast<std::size_t>(k)])];
  const Vector variance = take(judged->curve.variance, places),
               bias = take(judged->curve.squared_bias, places);
  const std::string constant = judged->curve.bias_less_constant ? ", less a constant" : "";
  Chart chart{.title = "Squared bias and variance" + constant,
              .description = "Estimates of the squared bias, the variance and their sum along λ.",
              .x = {"λ", true},
              .y = {"squared error of the fitted function"},
              .series = {}};
  chart.series.push_back({.label = "squared bias", .x = lambda, .y = bias});
  chart.series.push_back({.label = "variance", .x = lambda, .y = variance});
  chart.series.push_back({.label = "sum", .x = lambda, .y = bias + variance, .emphasised = true});
  chart.markers.push_back({path->chosen().lambda, "chosen λ"});
  show_around(path->chosen().lambda, chart);
  std::vector<Block> blocks;
  blocks.emplace_back(std::move(chart));
  blocks.emplace_back(Paragraph{fmt::format(
      "What {} is made of, measured {}, without the noise of new observations{}. The variance is σ² times a "
      "trace; the "
      "squared bias is what is left, and as an estimate it may fall below zero.",
      judged->label,
      study.selection.metric.kind == Metric::Kind::train
          ? "at the training inputs"
          : "in the metric " + study.selection.metric.description,
      constant.empty() ? ""
                       : "; the constant that is left out of the squared bias is the same for every λ")});
  return blocks;
}

}  // namespace gnomon
