#pragma once

#include <span>

#include "gnomon/core/types.hpp"

namespace gnomon::detail {

/// First columns of (T + λI)⁻¹ for many λ, T symmetric positive semidefinite tridiagonal of order m with
/// diagonal `alpha` and off-diagonal `beta` (m−1). Row l of `columns` (lambdas × m) belongs to λ_l. Pivots
/// run from the last row up, so
///   δ_m = α_m + λ,  δ_i = α_i + λ − β_i²/δ_{i+1},  x_1 = 1/δ_1,  x_{i+1} = −β_i x_i / δ_{i+1}.
/// Entries below 1e-290 become 0. Needs λ well above eps·‖T‖. Cost: O(m) per λ, vectorised over λ.
void tridiagonal_first_columns(Index m, const double* alpha, const double* beta,
                               std::span<const double> lambdas, Matrix& columns);

/// An upper bound (Gershgorin) of the largest eigenvalue of T.
double tridiagonal_bound(Index m, const double* alpha, const double* beta);

}  // namespace gnomon::detail
