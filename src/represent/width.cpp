#include "width.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"
#include "gram.hpp"

namespace gnomon {
namespace {

constexpr Index kMaxRows = 4000;
constexpr Index kBlock = 64;

/// A squared distance and how often it occurs.
struct Repeated {
  double value, count;
};

/// The squared distances of the rows begin, …, begin + size − 1 to all rows from `begin` on: row j's to the rows after it start below the
/// diagonal.
Matrix block_distances(const Matrix& x, Index begin, Index size) {
  return squared_distances(x.bottomRows(x.rows() - begin), x.middleRows(begin, size));
}

std::span<const double> after_diagonal(const Matrix& block, Index j) {
  return {block.col(j).data() + j + 1, static_cast<std::size_t>(block.rows() - j - 1)};
}

/// Calls visit(j, values) with the squared distances of row j to the rows j+1, …, n−1, a block of rows at a
/// time.
template <class Visit>
void for_each_row(const Matrix& x, const Visit& visit) {
  const Index n = x.rows();
  for (Index begin = 0; begin < n; begin += kBlock) {
    const Index size = std::min(kBlock, n - begin);
    const Matrix block = block_distances(x, begin, size);
    for (Index j = 0; j < size; ++j) visit(begin + j, after_diagonal(block, j));
  }
}

/// Two values with the median of very many squared distances between them: that of a small sample of pairs, six standard errors to
/// either side.
std::pair<double, double> around_median(const Matrix& x) {
  constexpr Index sample = 4096;
  Random random(1);
  const auto n = static_cast<std::uint64_t>(x.rows());
  std::vector<double> values;
  for (Index s = 0; s < sample; ++s) {
    const auto i = static_cast<Index>(random.below(n)), other = static_cast<Index>(random.below(n - 1));
    values.push_back((x.row(i) - x.row(other < i ? other : other + 1)).squaredNorm());
  }
  std::sort(values.begin(), values.end());
  constexpr Index six_errors = 3 * sample / 64;  // of the rank, 6 · √sample/2
  return {values[sample / 2 - six_errors], values[sample / 2 + six_errors]};
}

/// The middle one of `count` values of which these are the ones from number `below` on, or the mean of the two middle ones' roots.
double median_root(std::vector<double>& values, std::size_t count, std::size_t below) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(count / 2 - below);
  std::nth_element(values.begin(), middle, values.end());
  if (count % 2 == 1) return std::sqrt(*middle);
  return 0.5 * (std::sqrt(*std::max_element(values.begin(), middle)) + std::sqrt(*middle));
}

/// From the distances near the median alone, which threads look for. None where it escapes, which it hardly can, or where half of
/// them are zero.
std::optional<double> median_from_its_neighbourhood(const Matrix& x, std::size_t count) {
  struct Part {
    std::size_t below = 0, zeros = 0;
    std::vector<double> between;
  };
  const auto [low, high] = around_median(x);
  std::vector<Part> parts(static_cast<std::size_t>((x.rows() + kBlock - 1) / kBlock));
  parallel_for(static_cast<Index>(parts.size()), [&, low = low, high = high](Index b) {
    const Index begin = b * kBlock, size = std::min(kBlock, x.rows() - begin);
    const Matrix block = block_distances(x, begin, size);
    Part part;
    std::vector<double> values(static_cast<std::size_t>(block.size()));
    std::size_t kept = 0;
    for (Index j = 0; j < size; ++j)
      for (const double value : after_diagonal(block, j)) {
        part.below += value < low;
        part.zeros += value == 0;
        values[kept] = value;  // to stay or be written over, without a branch that none could foresee
        kept += (value >= low) & (value <= high);
      }
    part.between.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(kept));
    parts[static_cast<std::size_t>(b)] = std::move(part);
  });
  std::size_t below = 0, zeros = 0;
  std::vector<double> between;
  for (const Part& part : parts) {
    below += part.below;
    zeros += part.zeros;
    between.insert(between.end(), part.between.begin(), part.between.end());
  }
  const std::size_t rank = count / 2;
  if (zeros > rank || below + 1 > rank || rank >= below + between.size()) return {};
  return median_root(between, count, below);
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
  constexpr std::size_t many = 65536;
  const auto count = static_cast<std::size_t>(x.rows() * (x.rows() - 1) / 2);
  if (count > many)
    if (const auto root = median_from_its_neighbourhood(x, count)) return *root;
  std::vector<double> squared;
  squared.reserve(count);
  for_each_row(x, [&](Index, auto values) { squared.insert(squared.end(), values.begin(), values.end()); });
  const auto zeros = std::count(squared.begin(), squared.end(), 0.0);
  if (static_cast<std::size_t>(zeros) > squared.size() / 2) std::erase(squared, 0.0);
  return squared.empty() ? 1 : median_root(squared, squared.size(), 0);
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
