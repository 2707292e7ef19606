#pragma once

// The dual of a ridge with more weights than rows, where its matrix is ill-conditioned: κ far apart, or rows nearly alike.

#include <vector>

#include "decompose/positive_definite.hpp"

namespace gnomon {

/// K = W'W with W = [D^−½R'; √N·I], by QR of W, whose condition is the root of K's. Rows of W differ in size like the roots of κ.
/// Sorted, and with column pivoting, each keeps its own relative accuracy (Cox & Higham, BIT 38, 1998).
class DualByRows {
 public:
  /// decay = the diagonal of D, positive. O((p + k)k²).
  DualByRows(const Matrix& r, const Vector& decay, double samples);

  /// The triangle T of WΠ = QT, T'T = Π'KΠ, and Π: row j of Π'b is row order[j] of b.
  PositiveDefinite factor() const { return PositiveDefinite::of_factor(reflectors_.topRows(size())); }
  const std::vector<Index>& order() const { return order_; }
  /// D⁻¹R'K⁻¹ = D^−½ (WK⁻¹)₁, from WK⁻¹ = Q T⁻ᵀΠ'.
  Matrix gain() const;
  /// B⁻¹u = D^−½ [(I − QQ')[D^−½u; 0]]₁.
  Vector solve(const Vector& u) const;

 private:
  Index size() const { return reflectors_.cols(); }
  void turn(char transpose, Matrix& m) const;
  /// The rows of weights among those of sorted W, times D^−½.
  Matrix weights_of(const Matrix& m) const;

  Vector root_;  // D^½
  std::vector<Index> sorted_, order_;
  Matrix reflectors_;
  Vector tau_;
};

}  // namespace gnomon
