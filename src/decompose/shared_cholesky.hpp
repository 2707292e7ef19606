#pragma once

#include "gnomon/core/types.hpp"

// Cholesky's factor and its inverse, shared by threads block by block: BLAS itself is held to one. The blocks do not depend on the
// number of threads, nor do the results.

namespace gnomon {

/// a ← L with a = L Lᵀ; the lower triangle is read and written. False where a is not numerically positive definite. n³/3 flops.
bool factor_positive_definite(Matrix& a);

/// l ← l⁻¹ for a lower triangular l without a zero on its diagonal; the strict upper triangle is 0 afterwards. n³/3 flops.
void invert_lower(Matrix& l);

}  // namespace gnomon
