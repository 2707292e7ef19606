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

/// Leaves the rows whose hash falls where another one's does too, among eight places for every row: nine of ten singles go, without
/// sorting them.
void drop_lonely(std::vector<HashedRow>& rows) {
  const std::size_t places = std::bit_ceil(8 * rows.size());
  const auto place = [&](const HashedRow& each) { return (each.hash ^ (each.hash >> 32)) & (places - 1); };
  std::vector<bool> taken(places), shared(places);
  for (const HashedRow& each : rows) {
    const std::size_t at = place(each);
    if (taken[at]) shared[at] = true;
    taken[at] = true;
  }
  std::erase_if(rows, [&](const HashedRow& each) { return !shared[place(each)]; });
}

/// Leaves only rows whose hash another one has too.
void drop_singles(std::vector<HashedRow>& rows) {
  drop_lonely(rows);
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

/// The same of rows that are made block by block, in one pass.
std::vector<Index> possible_twins(const RowBlocks& x) {
  constexpr Index rows_at_once = 4096;
  std::vector<HashedRow> rows(static_cast<std::size_t>(x.rows()));
  Matrix room;
  for (Index first = 0; first < x.rows(); first += rows_at_once) {
    const Index count = std::min(rows_at_once, x.rows() - first);
    const RowBlocks::View block = x.view(first, count, room);
    for (Index i = 0; i < count; ++i) rows[static_cast<std::size_t>(first + i)].row = first + i;
    for (Index j = 0; j < x.cols(); ++j)
      for (Index i = 0; i < count; ++i) {
        HashedRow& each = rows[static_cast<std::size_t>(first + i)];
        each.hash = mixed(each.hash, block.data[j * block.stride + i]);
      }
  }
  drop_singles(rows);
  std::vector<Index> out;
  for (const HashedRow& each : rows) out.push_back(each.row);
  std::sort(out.begin(), out.end());
  return out;
}

/// Rows in the order of their inputs, those with equal inputs in the order of their targets.
class SortedRows {
 public:
  SortedRows(const MatrixView& x, const VectorView& y, std::vector<Index> rows)
      : x_(x), order_(std::move(rows)) {
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

/// Sums up groups of rows with the same inputs, as they come, and rows that stand for several.
class Counted {
 public:
  Counted(const VectorView& y, const VectorView& weight)
      : y_(y), weight_(weight), alone_(static_cast<std::size_t>(weight.size()), true) {}

  void add(const std::vector<Index>& group) {
    double total = 0, mean = 0, distinct = 0;
    for (std::size_t k = 0; k < group.size(); ++k) {
      total += count(group[k]), mean += count(group[k]) * y_[group[k]];
      distinct += k == 0 || y_[group[k]] != y_[group[k - 1]];
      if (weight_.size()) alone_[static_cast<std::size_t>(group[k])] = false;
    }
    if (!(total > 1)) return;
    mean /= total;
    for (const Index i : group) out_.squares += count(i) * (y_[i] - mean) * (y_[i] - mean);
    out_.freedom += total - 1;
    out_.copies += std::max(0.0, total - distinct);
  }

  Replicates total() {
    for (Index i = 0; i < weight_.size(); ++i)  // a row of weight k is k copies
      if (alone_[static_cast<std::size_t>(i)]) add({i});
    return out_;
  }

 private:
  double count(Index i) const { return weight_.size() == 0 ? 1.0 : weight_[i]; }

  const VectorView &y_, &weight_;
  std::vector<bool> alone_;
  Replicates out_;
};

void check_lengths(Index rows, const VectorView& y, const VectorView& weight) {
  require(rows == y.size() && (weight.size() == 0 || weight.size() == y.size()),
          "{} rows, {} targets and {} weights: give one target and one weight per row", rows, y.size(),
          weight.size());
}

}  // namespace

Replicates replicates_of(MatrixView x, VectorView y, VectorView weight) {
  check_lengths(x.rows(), y, weight);
  Counted counted(y, weight);
  SortedRows(x, y, possible_twins(x)).each_group([&](const auto& group) { counted.add(group); });
  return counted.total();
}

Replicates replicates_of(const RowBlocks& x, VectorView y, VectorView weight) {
  if (x.is_whole()) return replicates_of(MatrixView(x.whole()), y, weight);
  check_lengths(x.rows(), y, weight);
  const std::vector<Index> rows = possible_twins(x);
  Matrix twins(static_cast<Index>(rows.size()), x.cols());
  Vector targets(twins.rows());
  std::vector<Index> own(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto at = static_cast<Index>(k);
    twins.row(at) = x.block(rows[k], 1);
    targets[at] = y[rows[k]];
    own[k] = at;
  }
  Counted counted(y, weight);
  SortedRows(twins, targets, std::move(own)).each_group([&](std::vector<Index> group) {
    for (Index& i : group) i = rows[static_cast<std::size_t>(i)];
    counted.add(group);
  });
  return counted.total();
}

Replicates replicates_of(const NoiseContext& c) {
  return c.repeats ? *c.repeats : replicates_of(c.x, c.y, c.weight);
}

}  // namespace gnomon
