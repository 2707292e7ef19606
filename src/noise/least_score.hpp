#pragma once

#include <cmath>
#include <optional>
#include <vector>

namespace gnomon {

/// Index of the least finite score; nothing if there is none.
template <class Account, class Score>
std::optional<std::size_t> least_score(const std::vector<Account>& accounts, const Score& score) {
  std::optional<std::size_t> best;
  double least = HUGE_VAL;
  for (std::size_t k = 0; k < accounts.size(); ++k) {
    const double value = score(accounts[k]);
    if (std::isfinite(value) && value < least) least = value, best = k;
  }
  return best;
}

}  // namespace gnomon
