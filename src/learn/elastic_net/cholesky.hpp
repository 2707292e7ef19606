#pragma once

#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon::detail {

/// Lower Cholesky factor of a positive definite matrix that gains and loses rows one at a time, O(size²) each.
class GrowingCholesky {
 public:
  void clear() { size_ = 0; }
  Index size() const { return size_; }

  /// Factors matrix[index, index] + ridge·I at once. False, and empty, if a row depends on those before it.
  bool assign(const double* matrix, Index stride, const std::vector<Index>& index, double ridge,
              double tolerance);
  /// Adds the last row [crossᵀ diagonal]. False, and nothing done, if what the others leave of the diagonal is
  /// at most `tolerance` of it: the row depends on them.
  bool append(const double* cross, double diagonal, double tolerance);
  /// Drops a row and column: the rows below take in the dropped column by rotations.
  void remove(Index position);
  /// Forgets all rows from `size` on.
  void truncate(Index size) { size_ = size; }

  /// x ← (L Lᵀ)⁻¹ x
  void solve(double* x) const;
  /// tr (L Lᵀ)⁻¹ = ‖L⁻¹‖²_F, size³/3.
  double inverse_trace() const;

 private:
  void reserve(Index size);

  Index size_ = 0, stride_ = 0;
  std::vector<double> l_, reciprocal_, work_;
};

}  // namespace gnomon::detail
