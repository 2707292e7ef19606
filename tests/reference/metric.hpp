#pragma once

#include <functional>

#include "gnomon/core/types.hpp"
#include "gnomon/represent/quadrature.hpp"

namespace gnomon::reference {

/// The metric U_ij = ∫ φ_i φ_j q of the SIC family, from a sample of inputs drawn from q: Φ_uᵀΦ_u / m for the
/// m × p design Φ_u. Exactly symmetric. Cost: m p² flops.
Matrix metric_from_sample(MatrixView phi_u);

/// The p basis functions at m scalar inputs: m × p.
using BasisFunctions = std::function<Matrix(VectorView)>;

/// The same metric under a known density of one input, by Gauss quadrature whose order doubles until no entry
/// moves by more than 1e-13 of the largest one. An error if order 1024 is not enough: the functions are too
/// rough or too narrow.
Matrix metric_from_density(const BasisFunctions& basis, const Density& density);

/// The metric of polynomial_functions, from the moments of the density.
Matrix polynomial_metric(Index degree, const Density&);

/// The metric of trigonometric_functions: products are sums of cosines and sines, whose means are known.
Matrix trigonometric_metric(Index order, const Density&);

/// The metric of gaussian_functions, by completing the square: exp(−(c_i − c_j)²/4w²) times the mean of exp(−(x − c̄)²/w²).
Matrix gaussian_metric(const VectorView& centres, double width, const Density&);

/// 1, x, …, x^degree.
Matrix polynomial_functions(VectorView x, Index degree);

/// 1, sin x, cos x, sin 2x, cos 2x, …, cos(order · x).
Matrix trigonometric_functions(VectorView x, Index order);

/// exp(−(x − c_j)² / (2 width²)).
Matrix gaussian_functions(VectorView x, VectorView centres, double width);

}  // namespace gnomon::reference
