#include "gnomon/shift/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/data/weights.hpp"
#include "samples.hpp"
#include "two_sample_test.hpp"

namespace gnomon {
namespace {

constexpr double kSevereShare = 0.1;  // of the training rows that count, below
constexpr double kSevereSize = 20;    // effective rows, below
constexpr double kSevereOutside =
    0.25;  // of the test rows outside the training range, above what is expected
constexpr double kWarnShare = 0.25, kWarnSize = 30, kWarnOutside = 0.05;
constexpr double kLargeWeight = 5;  // times the mean

std::string percent(double share) { return pretty(100 * share, 3) + " %"; }

std::string name_of(const VerdictOptions& options, Index input) {
  const auto i = static_cast<std::size_t>(input);
  return i < options.input_names.size() ? fmt::format("'{}'", options.input_names[i])
                                        : fmt::format("input {}", input + 1);
}

/// Fills the shares of test rows outside the training range. Without any shift a test row falls outside the range
/// of n training rows with probability 2/(n + 1) per input: the answer is that expectation over all inputs.
double look_outside(const MatrixView& train, const MatrixView& test, ShiftVerdict& verdict) {
  std::vector<bool> outside(static_cast<std::size_t>(test.rows()), false);
  double inside = 1;
  for (Index j = 0; j < train.cols(); ++j) {
    const double low = train.col(j).minCoeff(), high = train.col(j).maxCoeff();
    Index count = 0;
    for (Index i = 0; i < test.rows(); ++i)
      if (test(i, j) < low || test(i, j) > high) outside[static_cast<std::size_t>(i)] = true, ++count;
    if (count > 0)
      verdict.outside_inputs.emplace_back(j, static_cast<double>(count) / static_cast<double>(test.rows()));
    inside *= 1 - 2 / static_cast<double>(train.rows() + 1);
  }
  std::stable_sort(verdict.outside_inputs.begin(), verdict.outside_inputs.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  verdict.outside_share = static_cast<double>(std::count(outside.begin(), outside.end(), true)) /
                          static_cast<double>(test.rows());
  return 1 - inside;
}

void warn_outside(const VerdictOptions& options, double expected, Index train_rows, ShiftVerdict& verdict) {
  if (verdict.outside_share > kWarnOutside + 2 * expected)
    verdict.warnings.push_back(fmt::format(
        "{} of the test rows lie outside the range of the training inputs; no weighting can stand for them",
        percent(verdict.outside_share)));
  std::vector<std::string> named;
  const double expected_each = 2 / static_cast<double>(train_rows + 1);
  for (const auto& [input, share] : verdict.outside_inputs)
    if (share > kWarnOutside + 2 * expected_each && named.size() < 5)
      named.push_back(fmt::format("{} ({})", name_of(options, input), percent(share)));
  if (!named.empty())
    verdict.warnings.push_back(fmt::format("test rows beyond the training range, by input: {}", join(named)));
}

/// The row of the largest weight at the very edge of the training sample: the ratio probably still rises where
/// there are no training rows.
void warn_extrapolation(const MatrixView& train, const VectorView& w, const VerdictOptions& options,
                        ShiftVerdict& verdict) {
  const Index row = verdict.largest.front();
  if (w[row] < kLargeWeight * w.mean()) return;
  for (Index j = 0; j < train.cols(); ++j) {
    const double low = train.col(j).minCoeff(), high = train.col(j).maxCoeff();
    if (low < high && (train(row, j) == low || train(row, j) == high)) {
      verdict.warnings.push_back(
          fmt::format("the largest weight, {} times the mean, is at the edge of the training range of {} "
                      "(data row {}): the "
                      "ratio is extrapolating",
                      pretty(w[row] / w.mean(), 3), name_of(options, j), row + 1));
      return;
    }
  }
}

void put_in_words(double level, double expected_outside, Index train_rows, ShiftVerdict& verdict) {
  const std::string p = fmt::format("permutation test p = {}", pretty(verdict.test.p_value, 3));
  const std::string size =
      fmt::format("the weights leave the strength of {} of {} training rows",
                  pretty(verdict.effective_size, verdict.effective_size < 1000 ? 3 : 6), train_rows);
  if (!(verdict.test.p_value < level)) {
    verdict.kind = ShiftKind::none;
    verdict.reason = fmt::format("the samples look alike ({}); weighting is not needed", p);
    return;
  }
  std::vector<std::string> reasons;
  if (verdict.effective_share < kSevereShare || verdict.effective_size < kSevereSize) reasons.push_back(size);
  if (verdict.outside_share > kSevereOutside + expected_outside)
    reasons.push_back(
        fmt::format("{} of the test rows lie outside the training range", percent(verdict.outside_share)));
  verdict.kind = reasons.empty() ? ShiftKind::usable : ShiftKind::severe;
  verdict.reason = reasons.empty() ? fmt::format("the samples differ ({}) and {}", p, size)
                                   : fmt::format("{} ({}); collect training data where the test inputs are",
                                                 join(reasons, " and "), p);
}

}  // namespace

std::string_view in_words(ShiftKind kind) {
  switch (kind) {
    case ShiftKind::none:
      return "no shift";
    case ShiftKind::usable:
      return "shift, usable";
    case ShiftKind::severe:
      return "shift, severe";
  }
  throw Error("a shift of a kind without a name");
}

ShiftVerdict judge_shift(const MatrixView& train, const MatrixView& test, const VectorView& train_weight,
                         const VerdictOptions& options, const Progress& progress) {
  check_samples(train, test, 2);
  require(train_weight.size() == train.rows(), "{} weights for {} training rows: give one for each",
          train_weight.size(), train.rows());
  check_weights(train_weight);
  ShiftVerdict verdict;
  verdict.test = two_sample_test(train, test, options.test, progress);
  const Index n = train.rows();
  verdict.effective_size = effective_sample_size(train_weight);
  verdict.effective_share = verdict.effective_size / static_cast<double>(n);
  verdict.zero_share = static_cast<double>((train_weight.array() == 0).count()) / static_cast<double>(n);
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return train_weight[a] > train_weight[b]; });
  order.resize(static_cast<std::size_t>(std::clamp<Index>(options.largest, 1, n)));
  verdict.largest = std::move(order);
  const double expected_outside = look_outside(train, test, verdict);

  put_in_words(options.level, expected_outside, n, verdict);
  verdict.sentence = fmt::format("{}: {}", in_words(verdict.kind), verdict.reason);
  if (verdict.effective_share < kWarnShare || verdict.effective_size < kWarnSize)
    verdict.warnings.push_back(fmt::format(
        "effective sample size {} of {} rows: flatten the weights (exponent below 1) or expect unsteady fits",
        pretty(verdict.effective_size, verdict.effective_size < 1000 ? 3 : 6), n));
  warn_outside(options, expected_outside, n, verdict);
  warn_extrapolation(train, train_weight, options, verdict);
  if (verdict.test.subsampled)
    verdict.warnings.push_back(
        fmt::format("the permutation test used a random subset of {} training and {} test rows",
                    verdict.test.train_rows, verdict.test.test_rows));
  return verdict;
}

}  // namespace gnomon
