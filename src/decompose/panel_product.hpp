#pragma once

#include "gnomon/core/types.hpp"

namespace gnomon {

class Team;

/// Yᵀ = (A V)ᵀ for a symmetric m × m matrix A, whose lower triangle alone is read (once, and used twice), and the m × `width` matrix
/// V. Both are stored transposed: row i of V at vt + i·ld, of Y at yt + i·ld. `sums` is workspace for panel_product_workspace(m, width)
/// numbers. The parts that threads take depend on m alone, so that the result does not depend on their number.
void panel_product(const double* a, Index lda, Index m, const double* vt, double* yt, Index ld, Index width,
                   double* sums, Team& team);
Index panel_product_workspace(Index m, Index width);

}  // namespace gnomon
