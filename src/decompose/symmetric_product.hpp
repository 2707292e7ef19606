#pragma once

#include "gnomon/core/types.hpp"

namespace gnomon::detail {

/// out = A·in for symmetric A (n×n, column-major, both triangles stored) and few columns. Such products wait
/// for memory, so where the machine has 512-bit vectors only the lower triangle is read, once per ten
/// columns; else dgemm. `in` and `out` are n × columns, contiguous and distinct. The own kernel's sums do not
/// depend on the threads.
void symmetric_product(Index n, const double* a, Index stride, Index columns, const double* in, double* out);

}  // namespace gnomon::detail
