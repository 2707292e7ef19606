#include "gnomon/compare/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::compare {
namespace {

Vector as_vector(std::vector<double>& numbers) {
  return Eigen::Map<Vector>(numbers.data(), static_cast<Index>(numbers.size()));
}

std::vector<double> finite_of(const VectorView& sample) {
  std::vector<double> out;
  for (const double value : sample)
    if (std::isfinite(value)) out.push_back(value);
  return out;
}

double deviation_of(const VectorView& sample) {
  auto numbers = finite_of(sample);
  if (numbers.size() < 2) return undefined;
  const Vector v = as_vector(numbers);
  return std::sqrt((v.array() - v.mean()).square().sum() / static_cast<double>(v.size() - 1));
}

/// Between the order statistics, in proportion.
double quantile_of(const VectorView& sample, double share) {
  auto numbers = finite_of(sample);
  if (numbers.empty()) return undefined;
  std::sort(numbers.begin(), numbers.end());
  const double place = share * static_cast<double>(numbers.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, numbers.size() - 1);
  return numbers[below] + (place - static_cast<double>(below)) * (numbers[above] - numbers[below]);
}

/// √ of the pooled variance within groups.
double within_groups(const Vector& values, const std::vector<Index>& group) {
  std::map<Index, std::vector<double>> by_group;
  for (Index i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i]))
      by_group[group.empty() ? 0 : group[static_cast<std::size_t>(i)]].push_back(values[i]);
  }
  double sum = 0, left = 0;
  for (auto& [_, numbers] : by_group) {
    const Vector v = as_vector(numbers);
    sum += (v.array() - v.mean()).square().sum();
    left += static_cast<double>(v.size()) - 1;
  }
  return left > 0 ? std::sqrt(sum / left) : undefined;
}

/// Sorts by mean of the columns of `log_loss` (data sets × names), and marks what ties with the best.
void sort_and_tie(std::vector<Score>& scores, const Matrix& log_loss, double overlap) {
  std::vector<std::size_t> order(scores.size());
  for (std::size_t c = 0; c < order.size(); ++c) order[c] = c;
  const auto level = [&](std::size_t c) { return mean_of(log_loss.col(static_cast<Index>(c))).value; };
  std::vector<double> levels;
  for (const std::size_t c : order) levels.push_back(level(c));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto rough = [&](std::size_t c) {
      return std::isnan(levels[c]) ? 2 : scores[c].undefined_in > 0 ? 1 : 0;
    };
    if (rough(a) != rough(b)) return rough(a) < rough(b);
    return levels[a] < levels[b];
  });
  const auto best = static_cast<Index>(order.front());
  std::vector<Score> sorted;
  bool ties =
      true;  // once one is told apart from the best, so are all below: they are no better, but may spread more
  for (const std::size_t c : order) {
    Score score = std::move(scores[c]);
    score.behind = mean_of(log_loss.col(static_cast<Index>(c)) - log_loss.col(best), overlap);
    ties &= score.data_sets > 0 && (static_cast<Index>(c) == best || score.behind.value == 0 ||
                                    score.behind.value <= 2 * score.behind.standard_error);
    score.ties = ties;
    sorted.push_back(std::move(score));
  }
  scores = std::move(sorted);
}

}  // namespace

Mean mean_of(const VectorView& sample, double overlap) {
  auto numbers = finite_of(sample);
  if (numbers.empty()) return {};
  const Vector v = as_vector(numbers);
  return {v.mean(), deviation_of(v) * std::sqrt(1 / static_cast<double>(v.size()) + overlap)};
}

std::vector<Score> rank(const std::vector<std::string>& criteria, const std::vector<Trial>& trials,
                        const std::vector<Index>& group, double overlap) {
  require(!trials.empty() && !criteria.empty(), "there is nothing to rank");
  const auto count = static_cast<Index>(trials.size());
  std::vector<Score> scores;
  Matrix log_regret(count, static_cast<Index>(criteria.size()));
  for (std::size_t c = 0; c < criteria.size(); ++c) {
    Vector error(count), regret(count), gain(count), gap(count), decade(count);
    for (Index i = 0; i < count; ++i) {
      const Trial& trial = trials[static_cast<std::size_t>(i)];
      const Choice& choice = trial.choices[c];
      error[i] = choice.error;
      regret[i] = choice.error / trial.least;
      gain[i] = 1 - choice.error / trial.unregularized;
      gap[i] = choice.gap;
      decade[i] = std::log10(choice.lambda);
    }
    log_regret.col(static_cast<Index>(c)) = regret.array().log().matrix();
    Score score;
    score.name = criteria[c];
    score.data_sets = static_cast<Index>(finite_of(error).size());
    score.undefined_in = count - score.data_sets;
    score.error = mean_of(error, overlap);
    score.regret = mean_of(regret, overlap);
    score.regret_95 = quantile_of(regret, 0.95);
    score.relative_improvement = mean_of(gain, overlap);
    if (score.data_sets > 0)
      score.improvement_probability =
          static_cast<double>((gain.array() > 0).count()) / static_cast<double>(score.data_sets);
    score.bias = mean_of(gap, overlap);
    score.bias_deviation = deviation_of(gap);
    score.decades = within_groups(decade, group);
    scores.push_back(std::move(score));
  }
  sort_and_tie(scores, log_regret, overlap);
  return scores;
}

std::vector<Score> rank_errors(const std::vector<std::string>& names, const Matrix& errors, double overlap) {
  std::vector<Score> scores;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const Vector error = errors.col(static_cast<Index>(c));
    Score score;
    score.name = names[c];
    score.data_sets = static_cast<Index>(finite_of(error).size());
    score.undefined_in = error.size() - score.data_sets;
    score.error = mean_of(error, overlap);
    scores.push_back(std::move(score));
  }
  sort_and_tie(scores, errors.array().log().matrix(), overlap);
  return scores;
}

std::string recommendation(const std::vector<Score>& ranked) {
  if (ranked.empty() || ranked.front().data_sets == 0) return "No criterion could choose on data like yours.";
  std::vector<std::string> others;
  for (std::size_t c = 1; c < ranked.size(); ++c)
    if (ranked[c].ties) others.push_back(ranked[c].name);
  const std::string choose = fmt::format("Choose by {}", ranked.front().name);
  if (others.empty())
    return ranked.size() == 1 ? fmt::format("Only {} was compared.", ranked.front().name)
                              : choose + ": no other criterion does as well on data like yours.";
  const std::string last = others.back();
  others.pop_back();
  return fmt::format("{}; {}{} cannot be told apart from it on data like yours.", choose,
                     others.empty() ? "" : join(others) + " and ", last);
}

}  // namespace gnomon::compare
