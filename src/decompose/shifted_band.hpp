#pragma once

#include <functional>
#include <span>

#include "tridiagonal.hpp"

namespace gnomon {

/// T in LAPACK's lower band storage: entry (k + j, k) of a symmetric band matrix at (j, k); here j = 0, 1.
Matrix band_of(const Tridiagonal& t);

/// B + λI = L D Lᵀ for a symmetric band matrix B in lower band storage, (width + 1) × n, and what is made of the factors.
/// O(n·width²) operations and n·width numbers.
class ShiftedBand {
 public:
  ShiftedBand(const Matrix& band, double lambda);

  double lambda() const { return lambda_; }
  Index size() const { return factor_.cols(); }
  Index width() const { return factor_.rows() - 1; }
  /// False: λ is below the rounding error of B, and there are no factors.
  bool ok() const { return ok_; }

  /// v_l ← λ_l (B + λ_l I)⁻¹ v_l for the columns of v, one λ for each. O(n·width) a column.
  static void solve(std::span<const ShiftedBand* const> shifted, Matrix& v);

  /// The columns of W = √λ Q L⁻ᵀ D^−½, some at a time from the first to the last: W Wᵀ = λ Q(B + λI)⁻¹Qᵀ. O(n·width) for each row of Q.
  using Panel = std::function<void(const double* columns, Index count)>;  // of Q's rows each
  void visit_whitened(const Matrix& q, const Panel& visit) const;

 private:
  void whiten_by_column(const Matrix& q, const Panel& visit) const;
  void whiten_by_block(const Matrix& q, const Panel& visit) const;

  double lambda_;
  Matrix factor_;  // L below its diagonal of ones, in band storage
  Vector scale_;   // λ/D
  bool ok_;
};

}  // namespace gnomon
