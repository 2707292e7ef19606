#pragma once

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Yᵀ = Vᵀ A for symmetric A of order m, of which the lower triangle is read, and V with few columns: width
/// is 16, 24, 32, 48 or 64. Vᵀ and Yᵀ are width × m, column-major with leading dimension ld. Every entry of A
/// is fetched from memory once and serves both triangles; nothing is packed, which is where a general dsymm
/// loses its time on narrow V. One thread; dsymm is used where the processor lacks 512-bit registers.
void panel_product(const double* a, Index lda, Index m, const double* vt, double* yt, Index ld, Index width);

}  // namespace gnomon
