#include "gnomon/data/folds.hpp"

#include <algorithm>
#include <map>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon {
namespace {

/// Keeps the random numbers of folds apart from other uses of the same seed.
constexpr std::uint64_t fold_stream = 0xF01D000000000000u;

void require_count(Index n, int k) {
  require(k >= 2 && k <= n, "cannot make {} folds of {} rows: choose between 2 and the number of rows", k, n);
}

}  // namespace

Folds random_folds(Index n, int k, std::uint64_t seed, std::uint64_t repeat) {
  require_count(n, k);
  const std::vector<Index> order = Random(seed, fold_stream ^ repeat).permutation(n);
  Folds folds{std::vector<int>(static_cast<std::size_t>(n)), k};
  for (std::size_t i = 0; i < order.size(); ++i)
    folds.of_row[static_cast<std::size_t>(order[i])] = static_cast<int>(i % static_cast<std::size_t>(k));
  return folds;
}

Folds blocked_folds(Index n, int k) {
  require_count(n, k);
  Folds folds{std::vector<int>(static_cast<std::size_t>(n)), k};
  for (int fold = 0; fold < k; ++fold)
    for (Index i = n * fold / k; i < n * (fold + 1) / k; ++i)
      folds.of_row[static_cast<std::size_t>(i)] = fold;
  return folds;
}

int RowGroups::count() const {
  return of_row.empty() ? 0 : *std::max_element(of_row.begin(), of_row.end()) + 1;
}

RowGroups RowGroups::of(const std::vector<Index>& rows) const {
  RowGroups out{{}, are_folds};
  if (empty()) return out;
  std::vector<int> number(static_cast<std::size_t>(count()), -1);
  int next = 0;
  for (const Index row : rows) {
    int& own = number[static_cast<std::size_t>(of_row[static_cast<std::size_t>(row)])];
    if (own < 0) own = next++;
    out.of_row.push_back(own);
  }
  return out;
}

RowGroups groups_of(const std::vector<std::string>& name_of_row, bool are_folds) {
  RowGroups out{{}, are_folds};
  std::map<std::string, int> number;
  for (const std::string& name : name_of_row)
    out.of_row.push_back(number.try_emplace(name, static_cast<int>(number.size())).first->second);
  return out;
}

Folds grouped_folds(const RowGroups& groups, int k, std::uint64_t seed, std::uint64_t repeat) {
  const int count = groups.count();
  require(count >= 2, "all rows belong to one group, so none can be held out; folds need two groups or more");
  if (groups.are_folds) return {groups.of_row, count};
  require(k >= 2 && k <= count,
          "cannot make {} folds of {} groups: choose between 2 and the number of groups", k, count);
  std::vector<Index> size(static_cast<std::size_t>(count), 0), filled(static_cast<std::size_t>(k), 0);
  for (const int group : groups.of_row) ++size[static_cast<std::size_t>(group)];
  std::vector<Index> order = Random(seed, fold_stream ^ repeat).permutation(count);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return size[static_cast<std::size_t>(a)] > size[static_cast<std::size_t>(b)];
  });
  std::vector<int> fold(static_cast<std::size_t>(count));
  for (const Index group : order) {
    const auto emptiest = std::min_element(filled.begin(), filled.end());
    *emptiest += size[static_cast<std::size_t>(group)];
    fold[static_cast<std::size_t>(group)] = static_cast<int>(emptiest - filled.begin());
  }
  Folds folds{groups.of_row, k};
  for (int& own : folds.of_row) own = fold[static_cast<std::size_t>(own)];
  return folds;
}

Folds unordered_folds(Index n, const RowGroups& groups, int k, std::uint64_t seed, std::uint64_t repeat) {
  if (groups.empty()) return random_folds(n, static_cast<int>(std::min<Index>(k, n)), seed, repeat);
  require(static_cast<Index>(groups.of_row.size()) == n, "the groups are of {} rows but the data have {}",
          groups.of_row.size(), n);
  return grouped_folds(groups, std::min(k, groups.count()), seed, repeat);
}

std::vector<std::vector<Index>> rows_by_fold(const Folds& folds) {
  check_folds(folds, folds.rows());
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(folds.count));
  for (std::size_t i = 0; i < folds.of_row.size(); ++i)
    rows[static_cast<std::size_t>(folds.of_row[i])].push_back(static_cast<Index>(i));
  return rows;
}

void check_folds(const Folds& folds, Index n) {
  require(folds.rows() == n, "the folds are of {} rows but the data have {}", folds.rows(), n);
  for (std::size_t i = 0; i < folds.of_row.size(); ++i)
    require(folds.of_row[i] >= 0 && folds.of_row[i] < folds.count,
            "row {} is in fold {}, but folds are numbered 0 to {}", i, folds.of_row[i], folds.count - 1);
}

}  // namespace gnomon
