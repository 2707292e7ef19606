#pragma once

#include "gnomon/core/types.hpp"

namespace gnomon {

/// The intercept as one Householder reflection P with P u = ∓e₁, u = √w/‖√w‖.
/// Fitting an unpenalised constant projects everything onto the complement of u. Instead of centring, which
/// leaves a spurious null direction to be told apart by a tolerance, we reflect and drop the first
/// coordinate: what is left is the same problem in n − 1 dimensions, exactly. O(n) per vector, O(n²) for a
/// Gram matrix.
class Reflection {
 public:
  explicit Reflection(const VectorView& direction);

  /// Rows 2…n of P m.
  Matrix compress(const MatrixView& m) const;
  /// P [0; m]: back to n rows, orthogonal to u.
  Matrix expand(const MatrixView& m) const;
  /// Squared lengths of the rows of expand(l⁻ᵀ), which is not formed; l is lower triangular. n³/3 flops.
  Vector squared_rows_of_expanded_inverse(const Matrix& l) const;
  /// The trailing (n−1)×(n−1) block of P a P for symmetric a (both triangles filled). Consumes a.
  Matrix compress_symmetric(Matrix&& a) const;

 private:
  /// scale · mᵀ v
  Vector along(const MatrixView& m, const double* v) const;
  /// m ← m − v productsᵀ
  static void subtract(const Vector& products, const double* v, Index rows, Matrix& m);

  Vector v_;  // P = I − scale v vᵀ
  double scale_ = 0;
};

}  // namespace gnomon
