#include "width.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "gnomon/core/error.hpp"
#include "gram.hpp"

namespace gnomon {
namespace {

constexpr Index kMaxRows = 4000;
constexpr Index kBlock = 256;

/// A squared distance and how often it occurs.
struct Repeated {
  double value, count;
};

/// Calls visit(j, values) with the squared distances of row j to the rows j+1, …, n−1, a block of rows at a
/// time.
template <class Visit>
void for_each_row(const Matrix& x, const Visit& visit) {
  const Index n = x.rows();
  for (Index begin = 0; begin < n; begin += kBlock) {
    const Index size = std::min(kBlock, n - begin);
    const Matrix block = squared_distances(x.bottomRows(n - begin), x.middleRows(begin, size));
    for (Index j = 0; j < size; ++j)
      visit(begin + j,
            std::span(block.col(j).data() + j + 1, static_cast<std::size_t>(block.rows() - j - 1)));
  }
}

/// Leaves of a large sample only the values near its median, judged by a small subsample, and returns how
/// many smaller ones went. If the median escapes (it hardly can), everything stays.
std::size_t keep_middle(std::vector<double>& values) {
  constexpr std::size_t kSubsample = 4096;
  if (values.size() < 16 * kSubsample) return 0;
  std::vector<double> subsample(kSubsample);
  for (std::size_t i = 0; i < kSubsample; ++i) subsample[i] = values[i * values.size() / kSubsample];
  std::sort(subsample.begin(), subsample.end());
  const double low = subsample[kSubsample / 2 - kSubsample / 16],
               high = subsample[kSubsample / 2 + kSubsample / 16];
  std::vector<double> middle;
  middle.reserve(values.size() / 4);
  std::size_t below = 0;
  for (const double value : values) {
    below += value < low;
    if (value >= low && value <= high) middle.push_back(value);
  }
  const std::size_t rank = values.size() / 2;
  if (below + 1 > rank || rank >= below + middle.size()) return 0;
  values = std::move(middle);
  return below;
}

/// The middle distance, or the mean of the two middle ones.
double median_root(std::vector<double> squared) {
  const std::size_t count = squared.size(), rank = count / 2 - keep_middle(squared);
  const auto middle = squared.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(squared.begin(), middle, squared.end());
  if (count % 2 == 1) return std::sqrt(*middle);
  return 0.5 * (std::sqrt(*std::max_element(squared.begin(), middle)) + std::sqrt(*middle));
}

/// The smallest value at which the running count reaches `rank`, or passes it if `beyond`. Quickselect on
/// counts: O(size).
double counted_quantile(std::span<Repeated> items, double rank, bool beyond) {
  const auto by_value = [](const Repeated& a, const Repeated& b) { return a.value < b.value; };
  while (items.size() > 1) {
    const std::size_t half = items.size() / 2;
    std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(half), items.end(), by_value);
    double below = 0;
    for (const auto& item : items.first(half)) below += item.count;
    const bool in_lower_half = beyond ? below > rank : below >= rank;
    if (!in_lower_half) rank -= below;
    items = in_lower_half ? items.first(half) : items.subspan(half);
  }
  return items.front().value;
}

double counted_median_root(std::span<Repeated> items) {
  double total = 0;
  for (const auto& item : items) total += item.count;
  const double lower = counted_quantile(items, total / 2, false),
               upper = counted_quantile(items, total / 2, true);
  return 0.5 * (std::sqrt(lower) + std::sqrt(upper));
}

double unweighted_median(const Matrix& x) {
  std::vector<double> squared;
  squared.reserve(static_cast<std::size_t>(x.rows() * (x.rows() - 1) / 2));
  for_each_row(x, [&](Index, auto values) { squared.insert(squared.end(), values.begin(), values.end()); });
  if (squared.empty()) return 1;
  const auto zeros = std::count(squared.begin(), squared.end(), 0.0);
  if (static_cast<std::size_t>(zeros) > squared.size() / 2) std::erase(squared, 0.0);
  return squared.empty() ? 1 : median_root(std::move(squared));
}

double weighted_median(const Matrix& x, const Vector& weight) {
  std::vector<Repeated> items;
  for_each_row(x, [&](Index j, auto values) {
    for (Index i = j + 1; const double value : values) items.push_back({value, weight[j] * weight[i++]});
  });
  double repeats = 0;
  for (const double w : weight) repeats += w > 1 ? w * (w - 1) / 2 : 0;
  if (repeats > 0) items.push_back({0, repeats});
  if (items.empty()) return 1;
  if (const double median = counted_median_root(items); median > 0) return median;
  std::erase_if(items, [](const Repeated& item) { return item.value == 0; });
  return items.empty() ? 1 : counted_median_root(items);
}

}  // namespace

double median_distance(MatrixView x, VectorView weight) {
  require(weight.size() == 0 || weight.size() == x.rows(), "{} weights for {} rows: give one weight per row",
          weight.size(), x.rows());
  require(weight.size() == 0 || (weight.allFinite() && weight.minCoeff() >= 0),
          "a weight is negative or not a number: weights must be 0 or more");
  std::vector<Index> rows;
  for (Index i = 0; i < x.rows(); ++i)
    if (weight.size() == 0 || weight[i] > 0) rows.push_back(i);
  if (const auto all = static_cast<Index>(rows.size()); all > kMaxRows) {
    for (Index i = 0; i < kMaxRows; ++i)
      rows[static_cast<std::size_t>(i)] = rows[static_cast<std::size_t>(i * all / kMaxRows)];
    rows.resize(kMaxRows);
  }
  const Matrix kept = x(rows, Eigen::all);
  if (weight.size() == 0 || (weight.array() == 1).all()) return unweighted_median(kept);
  return weighted_median(kept, weight(rows));
}

}  // namespace gnomon
