#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// A symmetric tridiagonal matrix T of order n.
struct Tridiagonal {
  Vector diagonal;      // n
  Vector off_diagonal;  // n − 1
  Index size() const { return diagonal.size(); }
};

/// Eigenvalues of T in ascending order and the squared first components of its eigenvectors, which sum to
/// one:
///   e₁ᵀ f(T) e₁ = Σ squared_first[i] f(values[i]).
struct FirstComponents {
  Vector values, squared_first;
};

/// Implicit QL that carries only the first row of the eigenvector matrix (Golub & Welsch, Math. Comp. 23
/// (1969)). O(n²) time, O(n) memory.
FirstComponents eigen_with_first_components(const Tridiagonal& t);

/// The largest eigenvalue of T ≥ 0 by bisection on the Sturm count, to 1e-6: enough to scale a tolerance. O(n) a step.
double largest_eigenvalue(const Tridiagonal& t);

/// tolerance · d₁ where T has an eigenvalue at or below it: a λ no larger cannot be told from 0 then. Nothing where T has none.
std::optional<double> rounding_floor(const Tridiagonal& t, double tolerance);

/// Number of eigenvalues of T that are ≤ x: Sylvester's inertia of xI − T, O(n).
Index count_not_above(const Tridiagonal& t, double x);

/// What trace criteria need of R = (T + λI)⁻¹ at one λ > 0, for T positive semidefinite up to rounding; O(n).
/// The complements are bounded by n (or 1) for every λ, while R^k overflows for λ beyond about 1e±77. The
/// gains T R = I − λR are formed without subtracting from one, so they keep their digits for λ far above the
/// spectrum.
struct Resolvent {
  double log_det;                          // log det(T + λI)
  std::array<double, 4> trace, first;      // [k−1]: tr R^k and e₁ᵀ R^k e₁
  std::array<double, 4> complement_trace;  // [k−1]: tr (λR)^k
  std::array<double, 4> complement_first;  // [k−1]: e₁ᵀ (λR)^k e₁
  std::array<double, 2> gain_trace;        // [k−1]: tr (TR)^k
  std::array<double, 2> gain_first;        // [k−1]: e₁ᵀ (TR)^k e₁
  bool ok;  // false: λ is below the rounding error of T, every number is NaN; use the eigenvalues instead
};
Resolvent resolvent(const Tridiagonal& t, double lambda);
/// The same for many λ, eight of them at a time in the lanes of a vector register.
std::vector<Resolvent> resolvents(const Tridiagonal& t, std::span<const double> lambdas);

/// B ← (T + λI)⁻¹ B for λ > 0, by LDLᵀ, or with pivoting where rounding made a pivot non-positive; O(n) per
/// column.
void solve_shifted(const Tridiagonal& t, double lambda, Eigen::Ref<Matrix> b);

/// Exact leave-one-out ingredients for A = Q T Qᵀ and b = norm · Q e₁ at every λ; column l belongs to
/// lambdas[l]:
///   diagonal = diag(λ (A + λI)⁻¹),   residual = λ (A + λI)⁻¹ b,   so that the left-out residual is their
///   quotient.
/// Q may have more rows than columns (orthonormal columns of a larger space). O(n²) per λ; threads over rows
/// of Q.
void shifted_diagonal_and_residual(const Matrix& q, const Tridiagonal& t, double norm,
                                   std::span<const double> lambdas, Matrix& diagonal, Matrix& residual);

/// Σ_{l=1…lags} Σ_k r_k r_{k+l} C_{k,k+l}, C = λ Q(T + λI)⁻¹Qᵀ, without forming C. O(lags·n²) time, O(n) memory.
double lagged_products_off_diagonal(const Matrix& q, const Tridiagonal& t, double lambda,
                                    const VectorView& residual, Index lags);

}  // namespace gnomon
