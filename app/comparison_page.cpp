#include <algorithm>
#include <cmath>
#include <filesystem>

#include "commands.hpp"
#include "compare/noise_families.hpp"
#include "comparison.hpp"
#include "core/text.hpp"
#include "gnomon/report/writers.hpp"
#include "gnomon/version.hpp"

namespace gnomon::app {
namespace {

using compare::Score;

std::vector<std::string> names_of_scores(const std::vector<Score>& ranked) {
  std::vector<std::string> names;
  const bool shared = ranked.size() > 1 && ranked[1].ties;
  for (const Score& s : ranked) names.push_back(s.name + (shared && s.ties ? " (1=)" : ""));
  return names;
}

/// Horizontal strokes from low to high, one per line of a named axis.
Series strokes(std::string label, const Vector& low, const Vector& high, bool emphasised) {
  Series series{.label = std::move(label), .x = Vector(3 * low.size()), .y = Vector(3 * low.size())};
  for (Index c = 0; c < low.size(); ++c) {
    series.x.segment(3 * c, 3) << low[c], high[c], undefined;
    series.y.segment(3 * c, 3) << static_cast<double>(c), static_cast<double>(c), undefined;
  }
  series.emphasised = emphasised;
  return series;
}

Series dots(std::string label, const Vector& at) {
  return {.label = std::move(label),
          .style = Series::Style::points,
          .x = at,
          .y = Vector::LinSpaced(at.size(), 0, static_cast<double>(at.size() - 1))};
}

Chart forest_chart(const std::vector<Score>& ranked) {
  const auto count = static_cast<Index>(ranked.size());
  Vector mean(count), low(count), high(count), tail(count);
  for (Index c = 0; c < count; ++c) {
    const Score& s = ranked[static_cast<std::size_t>(c)];
    mean[c] = s.regret.value;
    low[c] = std::max(1.0, s.regret.value - 2 * s.regret.standard_error);  // no regret is below 1
    high[c] = s.regret.value + 2 * s.regret.standard_error;
    tail[c] = s.regret_95;
  }
  Chart chart{.title = "Regret of every criterion",
              .description =
                  "Mean regret with two standard errors to either side, and its 95 % quantile, best "
                  "criterion first.",
              .x = {.label = "true error at the choice ÷ least on the path", .log = true, .lower = 1},
              .y = {.label = "", .names = names_of_scores(ranked)},
              .series = {strokes("mean ± 2 standard errors", low, high, true), dots("mean", mean),
                         dots("95 % quantile", tail)},
              .note = "On a logarithmic axis; 1 is the least possible."};
  return chart;
}

Chart choices_chart(const ComparedCriteria& found) {
  const auto count = static_cast<Index>(found.ranked.size());
  Matrix quantiles(count, 5);
  for (Index c = 0; c < count; ++c) {
    const auto at = static_cast<std::size_t>(std::find(found.criteria.begin(), found.criteria.end(),
                                                       found.ranked[static_cast<std::size_t>(c)].name) -
                                             found.criteria.begin());
    std::vector<double> chosen;
    for (const auto& trial : found.trials)
      if (trial.choices[at].lambda > 0) chosen.push_back(trial.choices[at].lambda);
    std::sort(chosen.begin(), chosen.end());
    const double shares[] = {0.05, 0.25, 0.5, 0.75, 0.95};
    for (Index q = 0; q < 5; ++q)
      quantiles(c, q) = chosen.empty() ? undefined
                                       : chosen[static_cast<std::size_t>(std::lround(
                                             shares[q] * static_cast<double>(chosen.size() - 1)))];
  }
  return {.title = "What every criterion chose",
          .description = "Median, quartiles and 5 % to 95 % range of the chosen lambda over all data sets.",
          .x = {.label = "λ", .log = true},
          .y = {.label = "", .names = names_of_scores(found.ranked)},
          .series = {strokes("5 % to 95 %", quantiles.col(0), quantiles.col(4), false),
                     strokes("middle half", quantiles.col(1), quantiles.col(3), true),
                     dots("median", quantiles.col(2))},
          .note = "Over all truths and noises: rougher truths ask for smaller λ."};
}

/// Means over the data sets in which every number is finite.
Vector mean_curve(const std::vector<compare::Trial>& trials, Index column) {
  Vector sum = Vector::Zero(trials.front().curves.rows());
  Index used = 0;
  for (const auto& trial : trials) {
    const Vector curve = trial.curves.col(column);
    if (!curve.allFinite()) continue;
    sum += curve;
    ++used;
  }
  return used ? Vector(sum / static_cast<double>(used)) : Vector::Constant(sum.size(), undefined);
}

Chart estimates_chart(const ComparedCriteria& found) {
  const Vector lambda =
      Eigen::Map<const Vector>(found.shown_lambdas.data(), static_cast<Index>(found.shown_lambdas.size()));
  const Vector truth = mean_curve(found.trials, 0);
  Chart chart{
      .title = "Mean estimate against mean truth along the path",
      .description =
          "The true error of the fit over lambda, and the mean of every criterion that estimates it.",
      .x = {.label = "λ", .log = true},
      .y = {.label = "mean squared error, noise excluded"},
      .series =
          {{.label = "truth", .style = Series::Style::dashed, .x = lambda, .y = truth, .emphasised = true}},
      .note =
          "The true error at inputs not learned from. Every estimate is drawn as that error plus its own "
          "mean distance from "
          "what it estimates: noise or none, at new or at the training inputs, sic with the constant that it "
          "leaves out. "
          "Criteria whose number is no error are left out."};
  for (const Score& s : found.ranked) {
    const auto at = std::find(found.criteria.begin(), found.criteria.end(), s.name) - found.criteria.begin();
    const Vector estimate = mean_curve(found.trials, 1 + at);
    if (estimate.array().isFinite().any())
      chart.series.push_back({.label = s.name, .x = lambda, .y = estimate});
  }
  const double most = truth.maxCoeff(), least = truth.minCoeff();
  if (most > 8 * least) {
    chart.y.upper = 8 * least;
    chart.y.lower = std::min(0.0, -least);
    chart.zoomed = true;
  }
  return chart;
}

/// All columns but the names hold numbers, with or without their errors.
TableBlock numbers_block(const ResultTable& table) {
  TableBlock block = block_of(table);
  for (TableRow& row : block.rows)
    for (std::size_t j = 0; j < row.cells.size(); ++j) row.cells[j].number = j != 1;
  return block;
}

TableBlock groups_block(const ComparedCriteria& found) {
  TableBlock block{{"truth", "noise", "best", "regret", "not told apart from it"}, {}};
  for (const auto& g : found.groups) {
    std::vector<std::string> ties;
    for (std::size_t c = 1; c < g.ranked.size(); ++c)
      if (g.ranked[c].ties) ties.push_back(g.ranked[c].name);
    const Score& best = g.ranked.front();
    block.rows.push_back(
        {{text_cell(g.truth), text_cell(g.noise), text_cell(best.name),
          number_cell(fmt::format(
              "{} ± {}", pretty(best.regret.value, 4),
              std::isnan(best.regret.standard_error) ? "–" : pretty(best.regret.standard_error, 2))),
          text_cell(join(ties))}});
  }
  return block;
}

Section groups_section(const ComparedCriteria& found) {
  Section groups{"By truth and noise", {groups_block(found)}};
  for (const auto& t : found.world.truths) {
    const std::string df = std::isnan(t.df) ? "" : fmt::format(", {} degrees of freedom", pretty(t.df));
    groups.blocks.emplace_back(Paragraph{fmt::format("{}: λ = {}{}", t.name, pretty(t.lambda), df)});
  }
  for (const auto& family : compare::noise_families())
    groups.blocks.emplace_back(Paragraph{fmt::format("{}: {}", family.name, family.words)});
  return groups;
}

Section settings_section(const ComparedCriteria& found) {
  Facts facts;
  facts.facts.push_back({"command", command_line()});
  facts.facts.push_back({"gnomon", version()});
  facts.facts.push_back({"seed", std::to_string(found.seed)});
  for (const auto& [name, value] : found.settings)
    if (!value.empty() && name != "seed") facts.facts.push_back({name, value});
  std::string seconds;
  for (const auto& [name, value] : found.seconds)
    seconds += fmt::format("{}{} {} s", seconds.empty() ? "" : ", ", name, pretty(value, 2));
  if (!seconds.empty())
    facts.facts.push_back(
        {"time to choose by each alone", seconds, "on the first data set, design prepared"});
  return {"Settings", {facts}};
}

}  // namespace

std::string page_of(const ComparedCriteria& found) {
  Section ranking{"Which criterion to trust on data like yours", {}};
  if (!found.ranked.empty() || !found.on_splits.empty())
    ranking.blocks.emplace_back(numbers_block(table_of(found)));
  for (const auto& line : explanations(found)) ranking.blocks.emplace_back(Paragraph{line});
  std::vector<Section> sections{std::move(ranking)};
  if (!found.ranked.empty()) {
    sections.push_back({"Regrets, choices and estimates",
                        {forest_chart(found.ranked), choices_chart(found), estimates_chart(found)}});
    sections.push_back(groups_section(found));
  }
  if (!found.learners.empty())
    sections.push_back({"Learners by held-out error",
                        {numbers_block(learner_table(found)), Paragraph{found.learner_recommendation}}});
  if (!found.notes.empty()) {
    Section notes{"Notes", {}};
    for (const auto& note : found.notes) notes.blocks.emplace_back(Paragraph{note});
    sections.push_back(std::move(notes));
  }
  sections.push_back(settings_section(found));
  return html_page(fmt::format("Which criterion to trust: {} of {}", found.target,
                               std::filesystem::path(found.source).filename().string()),
                   found.recommendation, sections);
}

}  // namespace gnomon::app
