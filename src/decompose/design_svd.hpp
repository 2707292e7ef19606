#pragma once

#include "lapack.hpp"

namespace gnomon {

/// A = U diag(s) Vᵀ of a design over its numerical range only: as many columns as the rank.
///
/// The rank must not depend on the units of the columns, nor may the digits of a direction that lives in a column 10⁸ times
/// smaller than the others. dgesdd errs by ε·s₁ in every direction, so where the columns of a design with at least as many
/// rows differ that much and a direction is small beside s₁, the columns are first divided by powers of two near
/// their norms, A = A_e S. Rank and range are those of A_e = U_e Σ_e V_eᵀ, and the singular values are those of
/// S V_e Σ_e, which Jacobi rotations find to a relative error of about ε·cond(A_e) (Drmač & Veselić, SIAM J. Matrix
/// Anal. 29, 2008). Elsewhere this is the plain decomposition.
///
/// `before`: norms of the columns before they were centred (empty = as they are). Centring leaves rounding of that
/// size, which is no direction.
/// Cost: one SVD of A; for badly scaled columns a second one and a Jacobi SVD of p × rank.
lapack::ThinSvd design_svd(Matrix&& a, const Vector& before = {});

}  // namespace gnomon
