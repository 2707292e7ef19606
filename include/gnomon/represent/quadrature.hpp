#pragma once

#include <variant>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Σ_i weights_i g(nodes_i) in place of an integral; nodes increase.
struct Quadrature {
  Vector nodes, weights;
};

/// ∫_a^b g(x) dx, exact for polynomials of degree 2·order − 1.
/// Nodes are the eigenvalues of the Jacobi matrix (Golub and Welsch, Math. Comp. 23, 1969); weights are 1 /
/// Σ_k p_k(node)² over the orthonormal polynomials, which is the squared first component of the eigenvector
/// without forming eigenvectors and keeps small weights accurate. Cost: O(order²).
Quadrature gauss_legendre(Index order, double a, double b);

/// E g(X) for X normal with this mean and standard deviation; weights sum to 1. Same method and exactness.
Quadrature gauss_hermite(Index order, double mean, double sd);

struct UniformDensity {
  double a = 0, b = 1;
};
struct NormalDensity {
  double mean = 0, sd = 1;
};
/// A known density of one input.
using Density = std::variant<UniformDensity, NormalDensity>;

/// The rule for E g(X), X of this density; weights sum to 1.
Quadrature expectation_rule(const Density& density, Index order);

/// Nodes that lie about evenly over the density, for functions narrower than it: Gauss–Legendre, or under a normal density, where
/// Gauss–Hermite puts √order nodes on each sd, the trapezoidal rule on ±10 sd. Its error on exp(−(x−c)²/2v) is exp(−2π²v/h²) at a
/// spacing h of nodes.
Quadrature even_expectation_rule(const Density& density, Index order);

}  // namespace gnomon
