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

std::string column_name(const Study& study, Index column, Index columns) {
  const bool linear = columns == static_cast<Index>(study.feature_names.size());
  return linear ? study.feature_names[static_cast<std::size_t>(column)]
                : fmt::format("column {}", column + 1);
}

/// Columns by the size of their coefficient at the chosen point, those that are zero there by their largest anywhere.
std::vector<Index> by_importance(const TargetSelection& t) {
  const Vector here = t.solution->coefficients.cwiseAbs();
  const Vector anywhere = t.coefficient_path.cwiseAbs().rowwise().maxCoeff();
  std::vector<Index> order(static_cast<std::size_t>(here.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return here[a] != here[b] ? here[a] > here[b] : anywhere[a] > anywhere[b];
  });
  return order;
}

Chart coefficient_chart(const Study& study, const TargetSelection& t) {
  const auto places = path_at(t, t.chosen_width, t.chosen_tuning);
  const Vector all = Eigen::Map<const Vector>(t.lambda.data(), static_cast<Index>(t.lambda.size()));
  const Vector lambda = take(all, places);
  const auto order = by_importance(t);
  const std::size_t shown = std::min(order.size(), most_coefficients);
  Chart chart{.title = "Coefficients along the path",
              .description = fmt::format(
                  "Coefficients of {} columns against λ; {} of them are not zero at the chosen "
                  "λ = {}.",
                  order.size(), (t.solution->coefficients.array() != 0).count(), pretty(t.chosen_lambda)),
              .x = {"λ", true},
              .y = {study.scale == Scale::none ? "coefficient" : "coefficient (scaled inputs)"},
              .series = {},
              .markers = {{t.chosen_lambda, t.chosen().label + " is least"}}};
  for (std::size_t k = 0; k < shown; ++k) {
    chart.series.push_back({.label = column_name(study, order[k], static_cast<Index>(order.size())),
                            .x = lambda,
                            .y = t.coefficient_path.row(order[k]).transpose(),
                            .picked_x = t.chosen_lambda,
                            .picked_y = t.solution->coefficients[order[k]]});
  }
  if (shown < order.size())
    chart.note =
        fmt::format("The {} largest of {} coefficients at the chosen λ are shown.", shown, order.size());
  return chart;
}

TableBlock coefficient_table(const Study& study, const TargetSelection& t) {
  TableBlock table{{"column", "coefficient"}, {}};
  const auto order = by_importance(t);
  const Vector& a = t.solution->coefficients;
  std::size_t left_out = 0, zero = 0;
  for (const Index column : order) {
    if (a[column] == 0) {
      ++zero;
    } else if (table.rows.size() == most_coefficients) {
      ++left_out;
    } else {
      table.rows.push_back(
          {{text_cell(column_name(study, column, a.size())), number_cell(pretty(a[column], 5))}});
    }
  }
  table.rows.push_back({{text_cell("offset"), number_cell(pretty(t.solution->offset, 5))}});
  if (left_out)
    table.rows.push_back({{text_cell(fmt::format("and {} smaller ones", left_out)), number_cell("")}});
  if (zero)
    table.rows.push_back(
        {{text_cell(fmt::format("{} column{}", zero, zero == 1 ? "" : "s")), number_cell("0")}});
  return table;
}

/// Residuals against fitted values, split by whether the row is active, between the lines ± limit.
Chart residual_chart(const Study& study, Index target, std::string title, double limit,
                     std::string_view active, std::string_view passive) {
  const TargetSelection& t = target_of(study, target);
  const Vector residual = study.y.col(target) - t.fitted;
  const auto rows = random_places(residual.size(), most_points);
  std::vector<Index> in, out;
  for (const Index row : rows)
    (std::binary_search(t.solution->active.begin(), t.solution->active.end(), row) ? in : out).push_back(row);
  const Vector ends{{t.fitted.minCoeff(), t.fitted.maxCoeff()}};
  Chart chart{.title = std::move(title),
              .description = fmt::format(
                  "Residuals against fitted values: {} rows are {}, {} are {}; lines at ± {}.",
                  t.solution->active.size(), active,
                  residual.size() - static_cast<Index>(t.solution->active.size()), passive, pretty(limit)),
              .x = {"fitted " + t.target},
              .y = {"residual"},
              .series = {}};
  const auto add = [&](std::string_view label, const std::vector<Index>& places, bool emphasised) {
    if (places.empty()) return;
    chart.series.push_back({.label = std::string(label),
                            .style = Series::Style::points,
                            .x = take(t.fitted, places),
                            .y = take(residual, places),
                            .emphasised = emphasised});
  };
  add(active, in, true);
  add(passive, out, false);
  for (const double sign : {1.0, -1.0})
    chart.series.push_back(
        {.label = fmt::format("{}{} {}", sign > 0 ? "+" : "−", t.tuning_name, pretty(limit, 3)),
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
  if (!t.solution || t.fitted.size() != study.y.rows()) return {};
  std::vector<Block> blocks;
  const auto& active = study.selection.request.learner->active;
  if (active && !active->chart.empty())
    blocks.emplace_back(
        residual_chart(study, target, active->chart, t.chosen_tuning, active->active, active->passive));
  if (t.coefficient_path.size() > 0) {
    if (t.coefficient_path.cols() > 1) blocks.emplace_back(coefficient_chart(study, t));
    blocks.emplace_back(coefficient_table(study, t));
  }
  return blocks;
}

}  // namespace gnomon
