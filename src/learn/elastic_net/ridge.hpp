#pragma once

#include "gnomon/core/types.hpp"

namespace gnomon::detail {

/// Eigendecomposition behind min ‖y − Za‖² + μ‖a‖² for all y and μ: of ZᵀZ, or of ZZᵀ where that is smaller.
/// Directions with d ≤ max(n,p)·eps·d_max are outside the numerical range and get nothing.
class RidgeSpectrum {
 public:
  static RidgeSpectrum of_gram(Matrix gram);
  /// From the singular values and right vectors of Z over its range: every direction given counts.
  static RidgeSpectrum of_range(const Vector& singular, Matrix right);
  /// From the n × p rows themselves, which must outlive this object.
  static RidgeSpectrum of_rows(const double* z, Index n, Index p);

  /// Coefficients: the right side is Zᵀy for of_gram, y for of_rows.
  Vector coefficients(const VectorView& right, double mu) const;
  /// gᵀ(ZᵀZ + μI)⁺g for a gradient g of length p: how far the objective is from its minimum.
  double excess(const VectorView& gradient, double mu) const;
  double degrees_of_freedom(double mu) const;
  Index rank() const;
  /// Every direction stands clear of the rounding of cross products.
  bool clear() const;

 private:
  const double* rows_ = nullptr;
  Index n_ = 0, p_ = 0;
  Vector values_;
  Matrix vectors_;
  double cut_ = 0;
};

}  // namespace gnomon::detail
