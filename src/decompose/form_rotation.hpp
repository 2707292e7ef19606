#pragma once

#include "gnomon/core/types.hpp"

namespace gnomon {

/// a ← H₁ H₂ ⋯, the product of block reflectors I − V T Vᵀ, in place. V of the panel of columns that begins at `begin`, factors.rows() of
/// them, is unit lower trapezoidal from row begin + offset on and stored below its diagonal there, as a reduction to a band of that
/// half-width leaves it; T is the upper triangular block of `factors` (width × n or more) at the same columns, with zeros where there are fewer
/// reflectors. 4/3 n³ flops, in chunks of columns that threads share.
void form_rotation(Matrix& a, const Matrix& factors, Index offset);

}  // namespace gnomon
