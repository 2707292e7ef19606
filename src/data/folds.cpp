#include "gnomon/data/folds.hpp"

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
