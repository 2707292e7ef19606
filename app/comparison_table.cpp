#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "comparison.hpp"
#include "core/text.hpp"

namespace gnomon::app {
namespace {

using compare::Mean;
using compare::Score;

std::string number_or_dash(double value, int digits = 3) {
  return std::isnan(value) ? "–" : pretty(value, digits);
}
std::string with_error(const Mean& mean, int digits = 3) {
  if (std::isnan(mean.value)) return "–";
  return std::isnan(mean.standard_error)
             ? pretty(mean.value, digits)
             : fmt::format("{} ± {}", pretty(mean.value, digits), pretty(mean.standard_error, 2));
}
std::string percent(double share) { return std::isnan(share) ? "–" : fmt::format("{:.0f} %", 100 * share); }

/// "1", and "1=" for what ties with the best.
std::string place_in(const std::vector<Score>& ranked, std::size_t c) {
  const auto ties = [](const Score& s) { return s.ties; };
  const bool shared = std::count_if(ranked.begin(), ranked.end(), ties) > 1;
  if (ranked[c].ties) return shared ? "1=" : "1";
  return fmt::format("{}", c + 1);
}

std::size_t place_of_name(const std::vector<Score>& scores, const std::string& name) {
  const auto at = std::find_if(scores.begin(), scores.end(), [&](const Score& s) { return s.name == name; });
  return static_cast<std::size_t>(at - scores.begin());
}

}  // namespace

ResultTable table_of(const ComparedCriteria& found) {
  const bool simulated = !found.ranked.empty(), split = !found.on_splits.empty();
  const std::vector<Score>& order = simulated ? found.ranked : found.on_splits;
  ResultTable table{{"place", "criterion"}, {}};
  if (simulated)
    table.header.insert(table.header.end(), {"regret", "95 %", "improves", "by", "bias", "sd", "decades"});
  if (split) table.header.insert(table.header.end(), {"test error", "on splits"});
  for (std::size_t c = 0; c < order.size(); ++c) {
    const Score& s = order[c];
    std::vector<std::string> row{place_in(order, c), s.name};
    if (simulated)
      row.insert(row.end(),
                 {with_error(s.regret, 4), number_or_dash(s.regret_95), percent(s.improvement_probability),
                  percent(s.relative_improvement.value), with_error(s.bias), number_or_dash(s.bias_deviation),
                  number_or_dash(s.decades)});
    if (split) {
      const std::size_t at = place_of_name(found.on_splits, s.name);
      row.insert(row.end(), {with_error(found.on_splits[at].error, 4), place_in(found.on_splits, at)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

ResultTable number_table(const ComparedCriteria& found) {
  const bool simulated = !found.ranked.empty(), split = !found.on_splits.empty();
  const std::vector<Score>& order = simulated ? found.ranked : found.on_splits;
  ResultTable table{{"criterion", "regret", "regret_se", "regret_95", "improvement_probability",
                     "mean_relative_improvement", "bias", "bias_se", "bias_sd", "log10_lambda_sd",
                     "behind_best", "behind_best_se", "ties", "undefined_in"},
                    {}};
  if (split) table.header.insert(table.header.end(), {"test_error", "test_error_se", "ties_on_splits"});
  const auto number = [](double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; };
  for (const Score& s : order) {
    std::vector<std::string> row{s.name,
                                 number(s.regret.value),
                                 number(s.regret.standard_error),
                                 number(s.regret_95),
                                 number(s.improvement_probability),
                                 number(s.relative_improvement.value),
                                 number(s.bias.value),
                                 number(s.bias.standard_error),
                                 number(s.bias_deviation),
                                 number(s.decades),
                                 number(s.behind.value),
                                 number(s.behind.standard_error),
                                 s.ties ? "yes" : "no",
                                 std::to_string(s.undefined_in)};
    if (split) {
      const Score& own = found.on_splits[place_of_name(found.on_splits, s.name)];
      row.insert(row.end(),
                 {number(own.error.value), number(own.error.standard_error), own.ties ? "yes" : "no"});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

ResultTable learner_table(const ComparedCriteria& found) {
  const std::vector<Score>& scores = found.learners;
  ResultTable table{{"place", "learner", "test error", "behind the best"}, {}};
  for (std::size_t c = 0; c < scores.size(); ++c) {
    const Mean& behind = scores[c].behind;
    const Mean share{std::expm1(behind.value) * 100, behind.standard_error * 100};
    table.rows.push_back({place_in(scores, c), scores[c].name, with_error(scores[c].error, 4),
                          c == 0 ? "0 %" : with_error(share) + " %"});
  }
  return table;
}

std::vector<std::string> explanations(const ComparedCriteria& found) {
  std::vector<std::string> lines;
  if (!found.ranked.empty()) {
    lines.push_back(fmt::format(
        "{} data sets on the inputs of your {} rows: truths {}, noise {}, spread evenly; noise variance {} "
        "({}).",
        found.trials.size(), found.rows, "fit, smoother (half its degrees of freedom), rougher (twice)",
        "gaussian, residuals, heavy-tailed, growing", pretty(found.world.sigma2), found.world.sigma2_method));
    lines.emplace_back(
        "regret: true error at the choice ÷ the least on the path, noise excluded, at a fifth of your inputs "
        "that "
        "was not learned from; 95 %: its quantile; improves, by: how often and by how much the choice beats "
        "the "
        "least lambda of the path.");
    lines.emplace_back(
        "bias, sd: of the criterion's own estimate at its choice (– where its number is no error); decades: "
        "spread "
        "of log10 lambda within one truth and noise; 1=: within two standard errors of the best (paired log "
        "regret).");
    for (const Score& s : found.ranked) {
      if (s.undefined_in > 0)
        lines.push_back(fmt::format("{} was undefined in {} of {} data sets.", s.name, s.undefined_in,
                                    found.trials.size()));
    }
    if (!found.left_out.empty())
      lines.push_back(
          fmt::format("Not compared, since they refit on every data set: {}; name them with --criterion.",
                      join(found.left_out)));
  }
  if (found.splits > 0)
    lines.push_back(
        fmt::format("{} random splits of the real targets, four fifths to learn from and one to test on; "
                    "standard errors allow for the rows that splits share (Nadeau & Bengio 2003).",
                    found.splits));
  return lines;
}

}  // namespace gnomon::app
