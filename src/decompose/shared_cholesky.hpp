#pragma once

#include <cblas.h>

#include <functional>

#include "gnomon/core/types.hpp"

// Cholesky's factor and what is made of it, shared by threads block by block: BLAS itself is held to one. The blocks do not depend on the
// number of threads, nor do the results.

namespace gnomon {

/// a ← L with a = L Lᵀ; the lower triangle is read and written. False where a is not numerically positive definite. n³/3 flops.
bool factor_positive_definite(Matrix& a);

/// b ← l⁻¹ b for a lower triangular l without a zero on its diagonal, or l⁻ᵀ b; n² flops.
void solve_lower(const Matrix& l, CBLAS_TRANSPOSE transpose, Vector& b);

/// Calls visit(first, columns) with the columns of l⁻¹ from `first` on, some at a time and from row `first` down; above they are 0. They
/// are solved for independently of each other, n³/3 flops in all, and visited by several threads.
using InverseVisitor = std::function<void(Index first, const Matrix& columns)>;
void visit_inverse(const Matrix& l, const InverseVisitor& visit);

}  // namespace gnomon
