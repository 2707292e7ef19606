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
std::string with_error(const Mean& mean) {
  return std::isnan(mean.value) ? "–" : gnomon::with_error(mean.value, mean.standard_error);
}
std::string percent(double share) { return std::isnan(share) ? "–" : fmt::format("{:.0f} %", 100 * share); }

/// "1", and "1=" for what ties with the best; "4=" for those below that chose alike on all data sets.
std::string place_in(const std::vector<Score>& ranked, std::size_t c) {
  const auto shares = [&](const Score& s) {
    return ranked[c].ties ? s.ties : !s.ties && s.behind.value == ranked[c].behind.value;
  };
  const auto first = std::find_if(ranked.begin(), ranked.end(), shares);
  if (first == ranked.end()) return fmt::format("{}", c + 1);  // behind by what is not known
  const bool shared = std::count_if(first, ranked.end(), shares) > 1;
  return fmt::format("{}{}", first - ranked.begin() + 1, shared ? "=" : "");
}

std::size_t place_of_name(const std::vector<Score>& scores, const std::string& name) {
  const auto at = std::find_if(scores.begin(), scores.end(), [&](const Score& s) { return s.name == name; });
  return static_cast<std::size_t>(at - scores.begin());
}

/// "fit (14.8 df), smoother (7.8 df), rougher (29 df)"; λ where degrees of freedom are not known.
std::string truths_in_words(const compare::World& world) {
  std::vector<std::string> words;
  for (const compare::Truth& t : world.truths)
    words.push_back(fmt::format("{} ({})", t.name,
                                std::isfinite(t.df) ? pretty(t.df, 3) + " degrees of freedom"
                                                    : fmt::format("λ = {}", pretty(t.lambda, 3))));
  return join(words);
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
                 {with_error(s.regret), number_or_dash(s.regret_95), percent(s.improvement_probability),
                  percent(s.relative_improvement.value), with_error(s.bias), number_or_dash(s.bias_deviation),
                  number_or_dash(s.decades)});
    if (split) {
      const std::size_t at = place_of_name(found.on_splits, s.name);
      row.insert(row.end(), {with_error(found.on_splits[at].error), place_in(found.on_splits, at)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

ResultTable number_table(const ComparisonResult& result) {
  ResultTable table{{"criterion", "target", "learner", "regret", "regret_se", "regret_95",
                     "improvement_probability", "mean_relative_improvement", "bias", "bias_se", "bias_sd",
                     "log10_lambda_sd", "behind_best", "behind_best_se", "ties", "undefined_in"},
                    {}};
  const auto number = [](double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; };
  const auto add = [&](const ComparedCriteria& found) {
    const bool simulated = !found.ranked.empty(), split = !found.on_splits.empty();
    for (const Score& s : simulated ? found.ranked : found.on_splits) {
      std::vector<std::string> row{s.name, found.target, found.learner};
      for (const double value :
           {s.regret.value, s.regret.standard_error, s.regret_95, s.improvement_probability,
            s.relative_improvement.value, s.bias.value, s.bias.standard_error, s.bias_deviation, s.decades,
            s.behind.value, s.behind.standard_error})
        row.push_back(number(value));
      row.insert(row.end(), {s.ties ? "yes" : "no", std::to_string(s.undefined_in)});
      if (split) {
        const Score& own = found.on_splits[place_of_name(found.on_splits, s.name)];
        row.insert(row.end(),
                   {number(own.error.value), number(own.error.standard_error), own.ties ? "yes" : "no"});
      }
      table.rows.push_back(std::move(row));
    }
  };
  for (const ComparedTarget& target : result.targets)
    for (const ComparedCriteria& found : target.learners) add(found);
  if (!result.targets.front().learners.front().on_splits.empty())
    table.header.insert(table.header.end(), {"test_error", "test_error_se", "ties_on_splits"});
  return table;
}

ResultTable learner_table(const ComparedTarget& target) {
  const std::vector<Score>& scores = target.held_out;
  ResultTable table{{"place", "learner", "test error", "behind the best"}, {}};
  for (std::size_t c = 0; c < scores.size(); ++c) {
    const Mean& behind = scores[c].behind;
    const Mean share{std::expm1(behind.value) * 100, behind.standard_error * 100};
    table.rows.push_back({place_in(scores, c), scores[c].name, with_error(scores[c].error),
                          c == 0 ? "0 %" : with_error(share) + " %"});
  }
  return table;
}

std::string where_judged(const ComparisonResult& result) {
  switch (result.judged) {
    case ComparisonResult::Judged::at_test:
      return "at the inputs of --test";
    case ComparisonResult::Judged::weighted:
      return "at a fifth of your inputs that was not learned from, weighted by the density ratio";
    case ComparisonResult::Judged::left_out:
      break;
  }
  return "at a fifth of your inputs that was not learned from";
}

std::vector<std::string> lines_of(const ComparedCriteria& found, Index rows) {
  std::vector<std::string> lines;
  if (found.ranked.empty()) return lines;
  lines.push_back(fmt::format(
      "{} data sets on the inputs of your {} rows: truths {}; noise gaussian, residuals, heavy-tailed, "
      "growing; spread evenly; noise variance {} ({}).",
      found.trials.size(), rows, truths_in_words(found.world), pretty(found.world.sigma2),
      found.world.sigma2_method));
  for (const Score& s : found.ranked) {
    if (s.undefined_in > 0)
      lines.push_back(fmt::format("{} was undefined in {} of {} data sets.", s.name, s.undefined_in,
                                  found.trials.size()));
  }
  if (!found.left_out.empty())
    lines.push_back(
        fmt::format("Not compared, since they refit on every data set: {}; name them with --criterion.",
                    join(found.left_out)));
  return lines;
}

std::vector<std::string> legend(const ComparisonResult& result) {
  std::vector<std::string> lines;
  const auto& learners = result.targets.front().learners;
  const bool searches =
      std::any_of(learners.begin(), learners.end(), [](const auto& l) { return l.searches; });
  const bool paths = std::any_of(learners.begin(), learners.end(), [](const auto& l) { return !l.searches; });
  if (result.simulated()) {
    lines.push_back(fmt::format(
        "regret: true error at the choice ÷ the least {}, noise excluded, {}; 95 %: its quantile; "
        "improves, by: how often and by how much the choice beats the least lambda{}.",
        searches ? paths ? "on the path (of searches: among the choices of all criteria)"
                         : "among the choices of all criteria"
                 : "on the path",
        where_judged(result), paths ? " of the path" : ""));
    lines.push_back(fmt::format(
        "bias, sd: of the criterion's own estimate at its choice (– where its number is no error, or of one "
        "that is not known here); decades: spread of log10 lambda{} within one truth and noise.",
        searches ? " (the geometric mean of several)" : ""));
    lines.emplace_back(
        "place: by the mean of the log of regret, which single data sets sway less than the mean; 1=: within "
        "two "
        "standard errors of the best, data set by data set; elsewhere =: the same choices.");
  }
  if (learners.size() > 1)
    lines.emplace_back(
        "Every learner's criteria are compared on truths of its own, its fits: regrets of different learners "
        "do not compare, held-out errors do.");
  if (result.splits > 0)
    lines.push_back(
        fmt::format("{} random splits of the real targets, four fifths to learn from and one to test on; "
                    "standard errors allow for the rows that splits share (Nadeau & Bengio 2003).",
                    result.splits));
  return lines;
}

std::string ComparisonResult::recommendation() const {
  if (targets.size() == 1) return targets.front().recommendation;
  std::string words;
  for (const ComparedTarget& target : targets)
    words += fmt::format("{}{}: {}", words.empty() ? "" : " ", target.name, target.recommendation);
  return words;
}

std::string text_of(const ComparisonResult& result) {
  std::string text = result.recommendation() + "\n";
  const auto list = [&](const std::vector<std::string>& lines) {
    if (!lines.empty()) text += "\n";
    for (const auto& line : lines) text += "- " + line + "\n";
  };
  for (const ComparedTarget& target : result.targets) {
    if (result.targets.size() > 1) text += fmt::format("\n## {}\n", target.name);
    if (!target.held_out.empty()) text += "\n" + markdown_of(learner_table(target));
    for (const ComparedCriteria& found : target.learners) {
      if (found.ranked.empty() && found.on_splits.empty()) continue;
      if (target.learners.size() > 1)
        text += fmt::format("\n### {}\n\n{}\n", found.learner, found.recommendation);
      else if (result.targets.size() > 1)
        text += fmt::format("\n{}\n", found.recommendation);
      text += "\n" + markdown_of(table_of(found));
      list(lines_of(found, result.rows));
    }
  }
  list(legend(result));
  list(result.notes);
  return text;
}

}  // namespace gnomon::app
