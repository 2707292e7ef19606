#pragma once

#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

// The degree γ of the regularized reference of rsic (docs/theory/regularized-sic.md). A criterion zᵀBz + const, z Gaussian
// with mean μ and variance σ², that estimates its target with the bias μᵀCμ has the squared error
//   (μᵀCμ)² + 2σ⁴ tr B² + 4σ² μᵀB²μ.

/// An unbiased estimate of that, which may be negative: with T = zᵀCz − σ² tr C and |Mz|² − σ² tr M² unbiased for |Mμ|²,
///   T² − 4σ²(|Cz|² − σ² tr C²) − 2σ⁴ tr C² + 2σ⁴ tr B² + 4σ²(|Bz|² − σ² tr B²),     B, C symmetric. O(r²).
double estimated_squared_error(const Matrix& b, const Matrix& c, const Vector& z, double sigma2);
/// The same for diagonal B and C, from z². O(r).
double estimated_squared_error(const Vector& b, const Vector& c, const Vector& z2, double sigma2);

/// Degrees to choose from: 0, and half decades from below what rounding leaves of the largest eigenvalue to ten times it.
std::vector<double> reference_degrees(double top);

}  // namespace gnomon
