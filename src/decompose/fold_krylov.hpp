#pragma once

#include <vector>

#include "kernel_fold_problem.hpp"

namespace gnomon::detail {

/// The Lanczos process of one fold: an orthonormal basis of the Krylov space of (A, ỹ) on its training rows,
/// the tridiagonal A in it, and the basis vectors' predictions at the held-out rows.
class FoldKrylov {
 public:
  FoldKrylov(const KernelFold& fold, bool intercept);

  /// True once the space is invariant (or ỹ = 0): every λ is then exact.
  bool complete() const { return complete_; }
  Index steps() const { return static_cast<Index>(alpha_.size()); }
  double target_norm() const { return target_norm_; }
  const double* alpha() const { return alpha_.data(); }
  const double* beta() const { return beta_.data(); }
  /// Norm of the next basis vector before scaling: the residual at λ is this times the last coefficient.
  double next_norm() const { return beta_.empty() ? 0 : beta_.back(); }
  const double* held_out() const { return held_.data(); }

  /// Writes S q (the newest basis vector, zero on all other rows) into a column of n entries.
  void scatter(double* column) const;
  /// Takes K S q (all n rows) and makes the next basis vector.
  void advance(const double* image);

 private:
  const KernelFold& fold_;
  bool intercept_, complete_ = false;
  double target_norm_ = 0, scale_ = 0;
  std::vector<double> basis_, held_, alpha_, beta_;
};

}  // namespace gnomon::detail
