#pragma once

#include "gnomon/core/types.hpp"
#include "gnomon/represent/kernel.hpp"

namespace gnomon {

/// K_ij = k(x_i, x_j) over the rows of x: n × n, exactly symmetric, both triangles filled, and exactly 1 for
/// a stationary kernel wherever two rows are equal. Cost: n²/2 · (2d + about 20) flops.
Matrix gram(const Kernel& kernel, MatrixView x);

/// K_ij = k(x_new_i, x_j): m × n. Each entry is computed by the same instructions in the same order as in
/// `gram` and in any other call, so that a prediction does not depend on how its rows were cut into blocks.
Matrix cross_gram(const Kernel& kernel, MatrixView x_new, MatrixView x);

/// Throws where a kernel of your own is not finite, not symmetric or not positive semidefinite on these rows: up to 500 of
/// them, evenly spaced, are tried, and eigenvalues down to −10⁻¹⁰ of the matrix's norm pass for rounding. Ours are known to be.
void check_kernel(const Kernel& kernel, MatrixView x);

/// D_ij = ‖a_i − b_j‖² as a sum of squared differences: exactly 0 for equal rows. The expansion
/// ‖a‖²+‖b‖²−2⟨a,b⟩ is never used: it cancels for inputs far from the origin and turns repeats into near
/// repeats.
Matrix squared_distances(MatrixView a, MatrixView b);

}  // namespace gnomon
