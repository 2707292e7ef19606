#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "report/panel.hpp"
#include "report/words.hpp"

namespace gnomon {
namespace {

constexpr Index most_parameters = 20;

/// One line per start of the search, over its iterates.
std::vector<Series> by_start(const SearchResult& search, double SearchPoint::*quantity) {
  std::vector<Series> all;
  double last = 0;
  const int starts = static_cast<int>(search.value_of_start.size());
  for (int start = 0; start <= starts; ++start) {
    std::vector<double> values;
    for (const SearchPoint& p : search.trace) {
      if (p.start == start) values.push_back(p.*quantity);
    }
    if (values.empty()) continue;
    const Index n = static_cast<Index>(values.size());
    Series series;
    series.label = start < starts ? fmt::format("start {}", start + 1) : "bounds tried";
    series.style = n == 1 ? Series::Style::points : Series::Style::line;
    const double from = start < starts ? 0 : last;  // bounds are tried when the starts are done
    series.x = Vector::LinSpaced(n, from, from + static_cast<double>(n - 1));
    last = std::max(last, series.x[n - 1]);
    series.y = Eigen::Map<Vector>(values.data(), n);
    series.emphasised =
        start < starts && search.value_of_start[static_cast<std::size_t>(start)] <= search.value;
    all.push_back(std::move(series));
  }
  return all;
}

Chart value_chart(const SearchOutcome& c) {
  const SearchResult& search = c.search;
  Chart chart;
  chart.title = fmt::format("{} from step to step", c.label);
  chart.description = fmt::format("{} over the steps of {} starts; the least value is {}.", c.label,
                                  search.value_of_start.size(), pretty(search.value));
  chart.x = {"step"};
  chart.y = {std::string(axis_label_of(quantity_of(c)))};
  chart.series = by_start(search, &SearchPoint::value);
  return chart;
}

Chart gradient_chart(const SearchResult& search) {
  Chart chart;
  chart.title = "Size of the gradient";
  chart.description =
      fmt::format("Largest entry of the gradient in log-parameters over the steps; {} at the end.",
                  pretty(search.gradient_norm, 2));
  chart.x = {"step"};
  chart.y = {"largest entry of the gradient", true};
  chart.series = by_start(search, &SearchPoint::gradient_norm);
  return chart;
}

Chart parameter_chart(const TunedSearch& tuned) {
  const Index steps = tuned.points.rows(), shown = std::min<Index>(tuned.points.cols(), most_parameters);
  Chart chart;
  chart.title = "The parameters on their way";
  chart.description =
      fmt::format("{} parameters over {} points on the way to the chosen one.", tuned.points.cols(), steps);
  chart.x = {"step"};
  chart.y = {"parameter", true};
  for (Index i = 0; i < shown; ++i) {
    Series series;
    series.label = tuned.parameters[static_cast<std::size_t>(i)].name;
    series.x = Vector::LinSpaced(steps, 0, static_cast<double>(steps - 1));
    series.y = tuned.points.col(i);
    chart.series.push_back(std::move(series));
  }
  if (shown < tuned.points.cols())
    chart.note = fmt::format("The first {} of {} parameters are shown.", shown, tuned.points.cols());
  return chart;
}

}  // namespace

std::vector<Block> convergence_panel(const Study& study, Index target) {
  const TunedSearch* tuned = target_of(study, target).search();
  if (!tuned || tuned->criteria.front().search.trace.empty()) return {};
  const SearchOutcome& chosen = tuned->criteria.front();
  const SearchResult& search = chosen.search;
  Facts facts;
  facts.facts.push_back({"search", search.status});
  if (std::isfinite(search.gradient_norm))
    facts.facts.push_back(
        {"gradient at the end", pretty(search.gradient_norm, 2), "largest entry, in log-parameters"});
  if (std::isfinite(tuned->gradient_norm)) facts.facts.push_back({"training", tuned->training});
  std::vector<Block> blocks{facts};
  if (!tuned->searched) return blocks;
  blocks.emplace_back(value_chart(chosen));
  if (std::isfinite(search.trace.front().gradient_norm)) blocks.emplace_back(gradient_chart(search));
  if (tuned->points.rows() > 1) blocks.emplace_back(parameter_chart(*tuned));
  return blocks;
}

}  // namespace gnomon
