#include "after_choosing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon {
namespace {

constexpr Index draws = 400;
constexpr Index most_units = 2000;      // beyond, rows are drawn in groups
constexpr std::uint64_t stream = 7001;  // of the seed, for the draws

/// What is drawn together: rows, their groups, blocks of a series, or random lots of very many rows. Sums of weight × loss.
struct Units {
  std::vector<Index> of_row;
  Matrix chosen_by, judged_by;  // the second is empty where it is the first
  Vector choosing, judging;
  double effective = 0;  // rows, as far as the weights leave them

  const Matrix& judged() const { return judged_by.size() ? judged_by : chosen_by; }
};

/// The unit of every row.
std::vector<Index> unit_of_rows(Index rows, Index block, const std::vector<int>& groups, std::uint64_t seed) {
  if (!groups.empty()) return {groups.begin(), groups.end()};
  std::vector<Index> unit(static_cast<std::size_t>(rows));
  const Index most = std::min(rows, most_units);
  if (block > 1) {
    constexpr Index fewest_blocks = 20;
    const Index units = std::min(most, std::max(fewest_blocks, rows / block));
    for (Index i = 0; i < rows; ++i) unit[static_cast<std::size_t>(i)] = i * units / rows;
  } else if (rows > most_units) {
    const auto order = Random(seed, stream + 1).permutation(rows);
    for (Index i = 0; i < rows; ++i)
      unit[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = i % most;
  } else {
    std::iota(unit.begin(), unit.end(), Index{0});
  }
  return unit;
}

Units units_of(const UnseenErrors& errors, std::uint64_t seed) {
  const Index rows = errors.loss.rows(), points = errors.loss.cols();
  const auto unit = unit_of_rows(rows, errors.block, errors.groups, seed);
  const Index count = *std::max_element(unit.begin(), unit.end()) + 1;
  const Vector ones = Vector::Ones(rows);
  const Vector& choosing = errors.choosing.size() ? errors.choosing : ones;
  const Vector& judging = errors.judging.size() ? errors.judging : ones;
  const bool alike = choosing == judging;
  Units out{unit, Matrix::Zero(count, points), alike ? Matrix() : Matrix(Matrix::Zero(count, points)),
            Vector::Zero(count), Vector::Zero(count)};
  for (Index i = 0; i < rows; ++i) {
    const Index u = unit[static_cast<std::size_t>(i)];
    out.choosing[u] += choosing[i];
    out.judging[u] += judging[i];
    // A row without weight says nothing, also where its loss is undefined.
    if (choosing[i] > 0) out.chosen_by.row(u) += choosing[i] * errors.loss.row(i);
    if (!alike && judging[i] > 0) out.judged_by.row(u) += judging[i] * errors.loss.row(i);
  }
  out.effective = judging.sum() * judging.sum() / judging.squaredNorm();
  if (errors.block > 1 || !errors.groups.empty())
    out.effective = std::min(out.effective, static_cast<double>(count));
  return out;
}

/// The losses of averages instead of those of points: units × averages, a column of weights for each of them.
Matrix averaged_losses(const UnseenErrors& errors, const Units& units, const Matrix& weights) {
  // What is undefined has no weight.
  const Matrix residual = errors.residual.array().isFinite().select(errors.residual, 0.0);
  const Matrix loss = lapack::product(residual, false, weights, false).cwiseAbs2();
  Matrix out = Matrix::Zero(units.choosing.size(), weights.cols());
  for (Index i = 0; i < loss.rows(); ++i)
    out.row(units.of_row[static_cast<std::size_t>(i)]) +=
        (errors.judging.size() ? errors.judging[i] : 1.0) * loss.row(i);
  return out;
}

double quantile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  const double at = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

/// The means of the rows left out of a draw, about a third, spread by √1.72 more than means of all rows do, which is too much
/// for many rows; and for few rows the skewness of squared errors asks for more, above all upwards. On the log scale.
AfterChoosing interval(double value, double at_choice, const std::vector<double>& means, double rows,
                       double level) {
  const double lower = quantile(means, (1 - level) / 2), upper = quantile(means, (1 + level) / 2);
  // A few draws that choose a wild fit, of a criterion with a second minimum, say, decide a mean but not a median; that of
  // skewed numbers is about a tenth below the mean of tame ones. Where a far row makes it fall lower, what the chosen point itself
  // shows on all rows, which is no wild fit's, is the least that can be said.
  value = std::clamp(std::min(value, std::max(1.1 * quantile(means, 0.5), at_choice)), lower, upper);
  if (!(lower > 0)) return {value, std::min(lower, value), upper};
  // Simulated for no fewer rows than about 12; the weights of a strong shift leave fewer, and the power would run away.
  constexpr double fewest = 12;
  const double few = 1 / std::max(rows, fewest);
  const double down = 0.85 * (1 + 6 * few), up = 0.85 * (1 + 18 * few);
  return {value, value * std::pow(lower / value, down), value * std::pow(upper / value, up)};
}

}  // namespace

AfterChoosing moved_towards(AfterChoosing from, double other, double share) {
  constexpr double end_share = 0.75, most = 4;
  const double ratio = other / from.value;
  if (!(ratio > 0) || !std::isfinite(ratio)) return from;
  const double way = std::log(std::clamp(ratio, 1 / most, most));
  from.value *= std::exp(share * way);
  (way > 0 ? from.high : from.low) *= std::exp(end_share * way);
  return from;
}

Vector weighted_means(const Matrix& loss, const Vector& weight) {
  if (weight.size() == 0) return loss.colwise().mean().transpose();
  Vector sum = Vector::Zero(loss.cols());
  for (Index i = 0; i < loss.rows(); ++i)
    if (weight[i] > 0) sum += weight[i] * loss.row(i).transpose();
  return sum / weight.sum();
}

AfterChoosing error_after_choosing(const UnseenErrors& errors, const RepeatedChoice& choice, double level,
                                   std::uint64_t seed) {
  const Units units = units_of(errors, seed);
  const Index count = units.choosing.size();
  Matrix drawn = Matrix::Zero(count, draws);  // how often each unit
  for (Index b = 0; b < draws; ++b) {
    Random random(seed, stream + 2 + static_cast<std::uint64_t>(b));
    for (Index i = 0; i < count; ++i)
      drawn(static_cast<Index>(random.below(static_cast<std::uint64_t>(count))), b) += 1;
  }
  const Matrix sums = lapack::product(drawn, true, units.chosen_by, false);
  const Vector weights = drawn.transpose() * units.choosing;
  const Vector all_means = units.chosen_by.colwise().sum().transpose() / units.choosing.sum();
  // Averages: a column of losses for every draw, and the last one for all rows. Otherwise one for every point.
  Matrix shares, averaged;
  if (choice.averages) {
    shares.resize(errors.loss.cols(), draws + 1);
    for (Index b = 0; b < draws; ++b)
      shares.col(b) = choice.weights_from(sums.row(b).transpose() / weights[b]);
    shares.col(draws) = choice.weights_from(all_means);
    averaged = averaged_losses(errors, units, shares);
  }
  const Matrix& judged = choice.averages ? averaged : units.judged();
  const auto has_weight = [&](Index b) { return (shares.col(b).array() > 0).any(); };
  Vector lost = Vector::Zero(count), times = Vector::Zero(count);
  std::vector<double> means;
  for (Index b = 0; b < draws; ++b) {
    if (!(weights[b] > 0)) continue;
    const Index at = !choice.averages ? choice.from(sums.row(b).transpose() / weights[b])
                     : has_weight(b)  ? b
                                      : -1;
    if (at < 0) continue;
    const double *times_drawn = drawn.col(b).data(), *loss = judged.col(at).data();
    double sum = 0, weight = 0;
    for (Index u = 0; u < count; ++u) {  // without a branch that none could foresee
      const bool left_out = times_drawn[u] == 0;
      const double lost_here = left_out ? loss[u] : 0;
      sum += lost_here, weight += left_out ? units.judging[u] : 0;
      lost[u] += lost_here, times[u] += left_out ? 1 : 0;
    }
    if (weight > 0 && std::isfinite(sum)) means.push_back(sum / weight);
  }
  if (means.size() < draws / 2) return {};
  double sum = 0, weight = 0;
  for (Index u = 0; u < count; ++u) {
    if (times[u] == 0 || !std::isfinite(lost[u])) continue;
    sum += lost[u] / times[u];
    weight += units.judging[u];
  }
  const Index chosen = !choice.averages ? choice.from(all_means) : has_weight(draws) ? draws : -1;
  const double at_choice = chosen < 0 ? 0 : judged.col(chosen).sum() / units.judging.sum();
  return interval(sum / weight, at_choice, means, units.effective, level);
}

}  // namespace gnomon
