#pragma once

// A symmetric positive definite matrix by its Cholesky factor, through LAPACK.

#include <optional>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// A = T'T, T upper triangular.
class PositiveDefinite {
 public:
  /// None where A (upper triangle read) is not numerically positive definite.
  static std::optional<PositiveDefinite> factorise(Matrix a);
  /// T given, only its upper triangle is read.
  static PositiveDefinite of_factor(Matrix t);

  Index size() const { return t_.rows(); }
  /// Reciprocal condition number of A in the 1-norm, estimated; `norm` = ‖A‖₁.
  double reciprocal_condition(double norm) const;
  double log_determinant() const;
  double smallest_pivot() const;
  /// A⁻¹ b, all columns.
  Matrix solve(Matrix b) const;
  /// rows·T⁻¹: Y with YY' = rows A⁻¹ rows'.
  Matrix half_solve_rows(Matrix rows) const;
  /// rows·A⁻¹.
  Matrix solve_rows(Matrix rows) const;
  /// A⁻¹ in full, for traces only.
  Matrix inverse() const;

 private:
  Matrix t_;
};

/// Largest column sum of a symmetric matrix whose upper triangle is stored.
double symmetric_norm1(const Matrix& a);

}  // namespace gnomon
