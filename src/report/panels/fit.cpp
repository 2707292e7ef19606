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

std::string thinned_note(Index shown, Index all) {
  return shown < all ? fmt::format("{} of {} rows are shown, drawn at random.", shown, all) : "";
}

/// The fitted function of one input on a fine grid, in the user's units. Empty if the model does not
/// reproduce the fitted values through the study's scaling: then only the training rows can be trusted.
std::optional<Series> smooth_line(const Study& study, Index target) {
  constexpr Index fine = 400;
  constexpr double most_work = 5e7;
  const Model& model = study.selection.model;
  if (model.size() == 0 || static_cast<double>(model.size() * fine) > most_work) return {};
  const Scaling scaling = scaling_of(study);
  const TargetSelection& t = target_of(study, target);

  const auto rows = random_places(study.x.rows(), 20);
  Matrix some = take(study.x.col(0), rows);
  scaling.apply(some);
  const Vector expected = take(t.fitted, rows), got = model.predict(some).col(target);
  const double tolerance = 1e-6 * (1e-300 + t.fitted.cwiseAbs().maxCoeff());
  if (!((got - expected).cwiseAbs().maxCoeff() <= tolerance)) return {};

  const Vector grid = Vector::LinSpaced(fine, study.x.minCoeff(), study.x.maxCoeff());
  Matrix scaled = grid;
  scaling.apply(scaled);
  return Series{.label = "fit", .x = grid, .y = model.predict(scaled).col(target), .emphasised = true};
}

/// The fitted values at the training rows, joined in the order of the input.
Series line_through_rows(const Study& study, Index target) {
  std::vector<Index> order(static_cast<std::size_t>(study.x.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return study.x(a, 0) < study.x(b, 0); });
  std::vector<Index> kept;
  for (const Index place : random_places(study.x.rows(), most_points)) {
    kept.push_back(order[static_cast<std::size_t>(place)]);
  }
  return {.label = "fit",
          .x = take(study.x.col(0), kept),
          .y = take(target_of(study, target).fitted, kept),
          .emphasised = true};
}

Chart one_input(const Study& study, Index target, const std::vector<Index>& rows) {
  const TargetSelection& t = target_of(study, target);
  const std::string input = study.feature_names.empty() ? "x" : study.feature_names[0];
  Chart chart{.title = "Data and fitted function",
              .description = fmt::format("{} against {}: {} data points and the fitted curve.", t.target,
                                         input, rows.size()),
              .x = {input},
              .y = {t.target},
              .series = {}};
  auto line = smooth_line(study, target);
  chart.series.push_back(line ? std::move(*line) : line_through_rows(study, target));
  chart.series.push_back({.label = "data",
                          .style = Series::Style::points,
                          .x = take(study.x.col(0), rows),
                          .y = take(study.y.col(target), rows)});
  return chart;
}

/// Least and largest of the finite values.
void widen(Vector& ends, const Vector& values) {
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    ends[0] = std::min(ends[0], value), ends[1] = std::max(ends[1], value);
  }
}

/// Rows as fits predict them that did not see them; the fit's own rows only where there is nothing better.
Chart predicted_against_observed(const Study& study, Index target, const std::vector<Index>& rows) {
  const TargetSelection& t = target_of(study, target);
  const Vector y = study.y.col(target);
  const bool held_out = t.held_out.size() == y.size();
  const Vector& predicted = held_out ? t.held_out : t.fitted;
  Vector ends{{HUGE_VAL, -HUGE_VAL}};
  widen(ends, y), widen(ends, predicted);
  Chart chart{
      .title = "Predicted against observed",
      .description = fmt::format("Predicted against observed {} for {} rows, with the line of equality.",
                                 t.target, rows.size()),
      .x = {"observed " + t.target},
      .y = {"predicted " + t.target},
      .series = {{.label = held_out ? "held-out rows" : "training rows, seen by the fit",
                  .style = Series::Style::points,
                  .x = take(y, rows),
                  .y = take(predicted, rows)}}};
  chart.note =
      held_out
          ? fmt::format(
                "Every row is predicted by a fit with the chosen parameters that did not see it ({}).",
                t.held_out_by)
          : "The training rows are drawn as the fit has them, which has seen them: new rows will lie farther "
            "from the line.";
  if (study.test_predicted.rows() > 0) {
    const auto tested = random_places(study.test_predicted.rows(), most_points);
    const Vector observed = study.test_y.col(target), from = study.test_predicted.col(target);
    widen(ends, observed), widen(ends, from);
    chart.series.push_back({.label = "test rows",
                            .style = Series::Style::points,
                            .x = take(observed, tested),
                            .y = take(from, tested),
                            .emphasised = true});
  }
  chart.series.push_back(
      {.label = "predicted = observed", .style = Series::Style::dashed, .x = ends, .y = ends});
  return chart;
}

Chart residuals(const TargetSelection& t, const std::vector<Index>& rows) {
  const Vector ends{{t.fitted.minCoeff(), t.fitted.maxCoeff()}};
  return {.title = "Leave-one-out residuals",
          .description =
              fmt::format("What each row is off by when the fit is made without it, against the fitted "
                          "value, for {} rows.",
                          rows.size()),
          .x = {"fitted " + t.target},
          .y = {"leave-one-out residual"},
          .series = {{.label = "rows",
                      .style = Series::Style::points,
                      .x = take(t.fitted, rows),
                      .y = take(t.path()->leave_one_out_residual, rows)},
                     {.label = "zero", .style = Series::Style::dashed, .x = ends, .y = Vector::Zero(2)}}};
}

}  // namespace

std::vector<Block> fit_panel(const Study& study, Index target) {
  const TargetSelection& t = target_of(study, target);
  const Index n = study.x.rows();
  if (n == 0 || t.fitted.size() != n) return {};
  const auto rows = random_places(n, most_points);
  const std::string note = thinned_note(static_cast<Index>(rows.size()), n);
  std::vector<Chart> charts{study.x.cols() == 1 ? one_input(study, target, rows)
                                                : predicted_against_observed(study, target, rows)};
  if (const SelectionPath* path = t.path(); path && path->leave_one_out_residual.size() == n)
    charts.push_back(residuals(t, rows));
  std::vector<Block> blocks;
  for (Chart& chart : charts) {
    chart.note += (chart.note.empty() || note.empty() ? "" : " ") + note;
    blocks.emplace_back(std::move(chart));
  }
  return blocks;
}

}  // namespace gnomon
