#include "replicates.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

struct HashedRow {
  std::uint64_t hash = 0;
  Index row = 0;
};

std::uint64_t mixed(std::uint64_t hash, double value) {
  hash ^= std::bit_cast<std::uint64_t>(value + 0.0);  // one zero
  hash *= 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

/// Leaves only rows whose hash another one has too.
void drop_singles(std::vector<HashedRow>& rows) {
  std::sort(rows.begin(), rows.end(), [](const HashedRow& a, const HashedRow& b) { return a.hash < b.hash; });
  auto kept = rows.begin();
  for (auto begin = rows.begin(); begin != rows.end();) {
    const auto end =
        std::find_if(begin, rows.end(), [&](const HashedRow& each) { return each.hash != begin->hash; });
    kept = end - begin > 1 ? std::copy(begin, end, kept) : kept;
    begin = end;
  }
  rows.erase(kept, rows.end());
}

/// Rows that may have a twin. Columns are taken 1, 2, 4, … at a time, and most rows drop out with the first.
std::vector<Index> possible_twins(const MatrixView& x) {
  std::vector<HashedRow> rows(static_cast<std::size_t>(x.rows()));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].row = static_cast<Index>(i);
  for (Index first = 0, count = 1; first < x.cols() && !rows.empty(); first += count, count *= 2) {
    for (Index j = first; j < std::min(x.cols(), first + count); ++j)
      for (HashedRow& each : rows) each.hash = mixed(each.hash, x(each.row, j));
    drop_singles(rows);
  }
  std::vector<Index> out;
  for (const HashedRow& each : rows) out.push_back(each.row);
  return out;
}

/// Rows in the order of their inputs, those with equal inputs in the order of their targets.
class SortedRows {
 public:
  SortedRows(const MatrixView& x, const VectorView& y) : x_(x), order_(possible_twins(x)) {
    std::sort(order_.begin(), order_.end(), [&](Index i, Index k) {
      const Index j = first_difference(i, k);
      if (j < x.cols()) return x(i, j) < x(k, j);
      return y[i] != y[k] ? y[i] < y[k] : i < k;
    });
  }

  /// Calls `visit` with every group of rows of equal inputs.
  template <class Visit>
  void each_group(const Visit& visit) const {
    for (auto begin = order_.begin(); begin != order_.end();) {
      const auto end =
          std::find_if(begin, order_.end(), [&](Index i) { return first_difference(*begin, i) < x_.cols(); });
      visit(std::vector<Index>(begin, end));
      begin = end;
    }
  }

 private:
  Index first_difference(Index i, Index k) const {
    Index j = 0;
    while (j < x_.cols() && x_(i, j) == x_(k, j)) ++j;
    return j;
  }

  const MatrixView& x_;
  std::vector<Index> order_;
};

}  // namespace

Replicates replicates_of(MatrixView x, VectorView y, VectorView weight) {
  require(x.rows() == y.size() && (weight.size() == 0 || weight.size() == y.size()),
          "{} rows, {} targets and {} weights: give one target and one weight per row", x.rows(), y.size(),
          weight.size());
  const auto count = [&](Index i) { return weight.size() == 0 ? 1.0 : weight[i]; };
  Replicates out;
  std::vector<bool> alone(static_cast<std::size_t>(weight.size()), true);
  const auto add = [&](const std::vector<Index>& group) {
    double total = 0, mean = 0, distinct = 0;
    for (std::size_t k = 0; k < group.size(); ++k) {
      total += count(group[k]), mean += count(group[k]) * y[group[k]];
      distinct += k == 0 || y[group[k]] != y[group[k - 1]];
      if (weight.size()) alone[static_cast<std::size_t>(group[k])] = false;
    }
    if (!(total > 1)) return;
    mean /= total;
    for (const Index i : group) out.squares += count(i) * (y[i] - mean) * (y[i] - mean);
    out.freedom += total - 1;
    out.copies += std::max(0.0, total - distinct);
  };
  SortedRows(x, y).each_group(add);
  for (Index i = 0; i < weight.size(); ++i)  // a row of weight k is k copies
    if (alone[static_cast<std::size_t>(i)]) add({i});
  return out;
}

}  // namespace gnomon
