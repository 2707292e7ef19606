#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "report/panel.hpp"
#include "report/thin.hpp"
#include "report/words.hpp"

namespace gnomon {
namespace {

constexpr std::size_t most_coefficients = 20;

/// Of the columns of the design.
std::vector<std::string> column_names(const Study& study, Index columns) {
  const Basis* basis = study.selection.model.basis();
  const bool known =
      basis && basis->size() == columns && basis->inputs() == static_cast<Index>(study.feature_names.size());
  if (known) return basis->names(study.feature_names);
  std::vector<std::string> names;
  for (Index j = 1; j <= columns; ++j) names.push_back(fmt::format("column {}", j));
  return names;
}

/// Columns by the size of their coefficient at the chosen point, those that are zero there by their largest anywhere.
std::vector<Index> by_importance(const SelectionPath& path) {
  const Vector here = path.solution->coefficients.cwiseAbs();
  const Vector anywhere = path.coefficient_path.cwiseAbs().rowwise().maxCoeff();
  std::vector<Index> order(static_cast<std::size_t>(here.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return here[a] != here[b] ? here[a] > here[b] : anywhere[a] > anywhere[b];
  });
  return order;
}

Chart coefficient_chart(const Study& study, const SelectionPath& path) {
  const auto places = path_at(path, path.chosen());
  const Vector all = Eigen::Map<const Vector>(path.lambda.data(), static_cast<Index>(path.lambda.size()));
  const Vector lambda = take(all, places);
  const auto order = by_importance(path);
  const std::size_t shown = std::min(order.size(), most_coefficients);
  Chart chart{.title = "Coefficients along the path",
              .description =
                  fmt::format("Coefficients of {} columns against λ; {} of them are not zero at the chosen "
                              "λ = {}.",
                              order.size(), (path.solution->coefficients.array() != 0).count(),
                              pretty(path.chosen().lambda)),
              .x = {"λ", true},
              .y = {study.scale == Scale::none ? "coefficient" : "coefficient (scaled inputs)"},
              .series = {},
              .markers = {{path.chosen().lambda, path.chosen().label + " is least"}}};
  const auto names = column_names(study, static_cast<Index>(order.size()));
  for (std::size_t k = 0; k < shown; ++k) {
    chart.series.push_back({.label = names[static_cast<std::size_t>(order[k])],
                            .x = lambda,
                            .y = path.coefficient_path.row(order[k]).transpose(),
                            .picked_x = path.chosen().lambda,
                            .picked_y = path.solution->coefficients[order[k]]});
  }
  if (shown < order.size())
    chart.note =
        fmt::format("The {} largest of {} coefficients at the chosen λ are shown.", shown, order.size());
  return chart;
}

TableBlock coefficient_table(const Study& study, const SelectionPath& path) {
  TableBlock table{{"column", "coefficient"}, {}};
  const auto order = by_importance(path);
  const Vector& a = path.solution->coefficients;
  const auto names = column_names(study, a.size());
  std::size_t left_out = 0, zero = 0;
  for (const Index column : order) {
    if (a[column] == 0) {
      ++zero;
    } else if (table.rows.size() == most_coefficients) {
      ++left_out;
    } else {
      table.rows.push_back(
          {{text_cell(names[static_cast<std::size_t>(column)]), number_cell(pretty(a[column], 5))}});
    }
  }
  table.rows.push_back({{text_cell("offset"), number_cell(pretty(path.solution->offset, 5))}});
  if (left_out)
    table.rows.push_back({{text_cell(fmt::format("and {} smaller ones", left_out)), number_cell("")}});
  if (zero)
    table.rows.push_back(
        {{text_cell(fmt::format("{} column{}", zero, zero == 1 ? "" : "s")), number_cell("0")}});
  return table;
}

/// Residuals against fitted values, split by whether the row is active, between the lines ± limit.
Chart residual_chart(const Study& study, Index target, const ActiveWords& words) {
  const TargetSelection& t = target_of(study, target);
  const SelectionPath& path = *t.path();
  const auto& active = path.solution->active;
  const double limit = path.chosen().tuning;
  const Vector residual = study.y.col(target) - t.fitted;
  const auto rows = random_places(residual.size(), most_points);
  std::vector<Index> in, out;
  for (const Index row : rows)
    (std::binary_search(active.begin(), active.end(), row) ? in : out).push_back(row);
  const Vector ends{{t.fitted.minCoeff(), t.fitted.maxCoeff()}};
  Chart chart{
      .title = words.chart,
      .description = fmt::format(
          "Residuals against fitted values: {} rows are {}, {} are {}; lines at ± {}.", active.size(),
          words.active, residual.size() - static_cast<Index>(active.size()), words.passive, pretty(limit)),
      .x = {"fitted " + t.target},
      .y = {"residual"},
      .series = {}};
  const auto add = [&](const std::string& label, const std::vector<Index>& places, bool emphasised) {
    if (places.empty()) return;
    chart.series.push_back({.label = label,
                            .style = Series::Style::points,
                            .x = take(t.fitted, places),
                            .y = take(residual, places),
                            .emphasised = emphasised});
  };
  add(words.active, in, true);
  add(words.passive, out, false);
  for (const double sign : {1.0, -1.0})
    chart.series.push_back(
        {.label = fmt::format("{}{} {}", sign > 0 ? "+" : "−", path.tuning_name, pretty(limit, 3)),
         .style = Series::Style::dashed,
         .x = ends,
         .y = Vector::Constant(2, sign * limit)});
  if (static_cast<Index>(rows.size()) < residual.size())
    chart.note = fmt::format("{} of {} rows are shown, drawn at random.", rows.size(), residual.size());
  return chart;
}

}  // namespace

std::vector<Block> solution_panel(const Study& study, Index target) {
  const TargetSelection& t = target_of(study, target);
  const SelectionPath* path = t.path();
  if (!path || !path->solution || t.fitted.size() != study.y.rows()) return {};
  std::vector<Block> blocks;
  const auto& active = study.selection.request.learner->active;
  if (active && !active->chart.empty()) blocks.emplace_back(residual_chart(study, target, *active));
  if (path->coefficient_path.size() > 0) {
    if (path->coefficient_path.cols() > 1) blocks.emplace_back(coefficient_chart(study, *path));
    if (!equation_of(study, target)) blocks.emplace_back(coefficient_table(study, *path));
  }
  return blocks;
}

}  // namespace gnomon
