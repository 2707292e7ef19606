#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>

#include "command_line.hpp"
#include "compare/noise_families.hpp"
#include "comparison.hpp"
#include "core/text.hpp"
#include "gnomon/report/writers.hpp"
#include "gnomon/version.hpp"
#include "line_series.hpp"

namespace gnomon::app {
namespace {

using compare::Score;

std::vector<std::string> names_of_scores(const std::vector<Score>& ranked) {
  std::vector<std::string> names;
  const bool shared = ranked.size() > 1 && ranked[1].ties;
  for (const Score& s : ranked) names.push_back(s.name + (shared && s.ties ? " (1=)" : ""));
  return names;
}

std::string regret_in_words(const ComparedCriteria& found) {
  return fmt::format("true error at the choice ÷ least {}",
                     found.searches ? "of all choices" : "on the path");
}

/// An end of the axis of regrets that leaves room for the last dot.
double room_for(const std::vector<Series>& series) {
  double most = 1.1;
  for (const Series& s : series)
    for (const double x : s.x)
      if (x > most) most = x;
  return most * std::pow(most, 0.04);
}

Chart forest_chart(const ComparedCriteria& found) {
  const std::vector<Score>& ranked = found.ranked;
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
              .x = {.label = regret_in_words(found), .log = true, .lower = 1},
              .y = {.label = "", .names = names_of_scores(ranked)},
              .series = {strokes("mean ± 2 standard errors", low, high, true), dots("mean", mean),
                         dots("95 % quantile", tail)},
              .note = "On a logarithmic axis; 1 is the least possible."};
  chart.x.upper = room_for(chart.series);
  return chart;
}

/// Median, middle half and 5 % to 95 % range of a number of every criterion over all data sets, best criterion first.
std::vector<Series> spreads(const ComparedCriteria& found,
                            const std::function<double(const compare::Trial&, std::size_t)>& number) {
  constexpr std::array shares{0.05, 0.25, 0.5, 0.75, 0.95};
  Matrix quantiles(static_cast<Index>(found.ranked.size()), static_cast<Index>(shares.size()));
  for (Index c = 0; c < quantiles.rows(); ++c) {
    const std::string& name = found.ranked[static_cast<std::size_t>(c)].name;
    const auto at = static_cast<std::size_t>(std::find(found.criteria.begin(), found.criteria.end(), name) -
                                             found.criteria.begin());
    std::vector<double> sample;
    for (const auto& trial : found.trials)
      if (const double value = number(trial, at); value > 0) sample.push_back(value);
    std::sort(sample.begin(), sample.end());
    for (Index q = 0; q < quantiles.cols(); ++q) {
      const double place = shares[static_cast<std::size_t>(q)] * (static_cast<double>(sample.size()) - 1);
      quantiles(c, q) = sample.empty() ? undefined : sample[static_cast<std::size_t>(std::lround(place))];
    }
  }
  return {strokes("5 % to 95 %", quantiles.col(0), quantiles.col(4), false),
          strokes("middle half", quantiles.col(1), quantiles.col(3), true), dots("median", quantiles.col(2))};
}

Chart regrets_chart(const ComparedCriteria& found) {
  Chart chart{.title = "How regrets are spread",
              .description = "Median, quartiles and 5 % to 95 % range of the regret over all data sets.",
              .x = {.label = regret_in_words(found), .log = true, .lower = 1},
              .y = {.label = "", .names = names_of_scores(found.ranked)},
              .series = spreads(found, [](const compare::Trial& trial, std::size_t c) {
                return trial.choices[c].error / trial.least;
              })};
  chart.x.upper = room_for(chart.series);
  return chart;
}

Chart choices_chart(const ComparedCriteria& found) {
  return {.title = "What every criterion chose",
          .description = "Median, quartiles and 5 % to 95 % range of the chosen lambda over all data sets.",
          .x = {.label = found.searches ? "λ, geometric mean of all decays" : "λ", .log = true},
          .y = {.label = "", .names = names_of_scores(found.ranked)},
          .series = spreads(
              found, [](const compare::Trial& trial, std::size_t c) { return trial.choices[c].lambda; }),
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
          number_cell(with_error(best.regret.value, best.regret.standard_error)), text_cell(join(ties))}});
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

Facts settings_of(const ComparedCriteria& found) {
  Facts facts;
  for (const auto& [name, value] : found.settings)
    if (!value.empty() && name != "seed") facts.facts.push_back({name, value});
  std::string seconds;
  for (const auto& [name, value] : found.seconds)
    seconds += fmt::format("{}{} {} s", seconds.empty() ? "" : ", ", name, pretty(value, 2));
  if (!seconds.empty())
    facts.facts.push_back(
        {"time to choose by each alone", seconds, "on the first data set, design prepared"});
  return facts;
}

/// Criteria of one learner on one target; `name` is what it is called where there are several.
void add_criteria(std::vector<Section>& sections, const ComparedCriteria& found, Index rows,
                  const std::string& name) {
  const std::string before = name.empty() ? "" : name + ": ";
  Section ranking{before + (name.empty() ? "W" : "w") + "hich criterion to trust on data like yours", {}};
  if (!name.empty()) ranking.blocks.emplace_back(Paragraph{found.recommendation});
  ranking.blocks.emplace_back(numbers_block(table_of(found)));
  for (const auto& line : lines_of(found, rows)) ranking.blocks.emplace_back(Paragraph{line});
  sections.push_back(std::move(ranking));
  if (found.ranked.empty()) return;
  Section charts{before + (name.empty() ? "R" : "r") + "egrets, choices and estimates",
                 {forest_chart(found), regrets_chart(found), choices_chart(found)}};
  if (!found.shown_lambdas.empty()) charts.blocks.emplace_back(estimates_chart(found));
  sections.push_back(std::move(charts));
  sections.push_back(groups_section(found));
  if (!name.empty()) sections.back().title = before + "by truth and noise";
}

Section settings_section(const ComparisonResult& result) {
  Facts facts;
  facts.facts.push_back({"command", command_line()});
  facts.facts.push_back({"gnomon", version()});
  facts.facts.push_back({"seed", std::to_string(result.seed)});
  Section section{"Settings", {facts}};
  const auto& learners = result.targets.front().learners;
  for (const ComparedCriteria& found : learners) {
    if (learners.size() > 1) section.blocks.emplace_back(Heading{found.learner});
    section.blocks.emplace_back(settings_of(found));
  }
  return section;
}

}  // namespace

std::string page_of(const ComparisonResult& result) {
  std::vector<Section> sections;
  for (const ComparedTarget& target : result.targets) {
    const std::string of_target = result.targets.size() > 1 ? target.name : "";
    const std::string before = of_target.empty() ? "" : of_target + ": ";
    if (!target.held_out.empty())
      sections.push_back({before + (before.empty() ? "L" : "l") + "earners by held-out error",
                          {Paragraph{target.held_out_words}, numbers_block(learner_table(target))}});
    for (const ComparedCriteria& found : target.learners) {
      if (found.ranked.empty() && found.on_splits.empty()) continue;
      const std::string learner = target.learners.size() > 1 ? found.learner : "";
      const std::string comma = of_target.empty() || learner.empty() ? "" : ", ";
      add_criteria(sections, found, result.rows, of_target + comma + learner);
    }
  }
  Section words{"What the numbers are", {}};
  for (const auto& line : legend(result)) words.blocks.emplace_back(Paragraph{line});
  for (const auto& note : result.notes) words.blocks.emplace_back(Paragraph{note});
  sections.push_back(std::move(words));
  sections.push_back(settings_section(result));
  const std::string file = std::filesystem::path(result.source).filename().string();
  const std::string title = result.targets.size() > 1 ? fmt::format("Which criterion to trust: {}", file)
                                                      : fmt::format("Which criterion to trust: {} of {}",
                                                                    result.targets.front().name, file);
  return html_page(title, result.recommendation(), sections);
}

}  // namespace gnomon::app
