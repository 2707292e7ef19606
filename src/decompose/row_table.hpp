#pragma once

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Residuals and complements of all rows, rows × λ.
struct RowTable {
  std::vector<double> lambdas;
  Matrix residual, complement;
};

/// The largest table of rows so far. A criterion, the blend of two and the error after choosing ask for the same λ one after another.
class LastRowTable {
 public:
  /// The columns of these λ, where all of them are there.
  std::optional<RowTable> find(std::span<const double> lambdas) const {
    const std::lock_guard lock(lock_);
    std::vector<Index> columns;
    for (const double lambda : lambdas) {
      const auto found = std::ranges::find(table_.lambdas, lambda);
      if (found == table_.lambdas.end()) return std::nullopt;
      columns.push_back(found - table_.lambdas.begin());
    }
    return RowTable{{lambdas.begin(), lambdas.end()},
                    table_.residual(Eigen::all, columns),
                    table_.complement(Eigen::all, columns)};
  }
  void keep(RowTable&& table) const {
    constexpr Index most_entries = 4'000'000;
    const std::lock_guard lock(lock_);
    if (table.residual.size() <= most_entries && table.lambdas.size() > table_.lambdas.size())
      table_ = std::move(table);
  }

 private:
  mutable std::mutex lock_;
  mutable RowTable table_;
};

}  // namespace gnomon
