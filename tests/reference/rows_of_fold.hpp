#pragma once

#include <vector>

#include "gnomon/core/error.hpp"
#include "gnomon/data/folds.hpp"

namespace gnomon::reference {

/// The rows held out by one fold, ascending, read off row by row; the library lists all folds at once (rows_by_fold).
inline std::vector<Index> rows_of_fold(const Folds& folds, int fold) {
  require(fold >= 0 && fold < folds.count, "there is no fold {}: folds are numbered 0 to {}", fold,
          folds.count - 1);
  std::vector<Index> rows;
  for (std::size_t i = 0; i < folds.of_row.size(); ++i)
    if (folds.of_row[i] == fold) rows.push_back(static_cast<Index>(i));
  return rows;
}

}  // namespace gnomon::reference
