#pragma once

#include "gnomon/core/types.hpp"

// Inner loops of the elastic net over plain arrays.

namespace gnomon::detail {

/// Σ (x_i − mean) v_i
double centred_dot(Index n, const double* x, double mean, const double* v);

/// out −= Σ_k value[k]·column(index[k]) of a column-major matrix.
void subtract_columns(Index rows, const double* matrix, Index stride, Index count, const Index* index,
                      const double* value, double* out);

/// Solves L Lᵀ x = b in place; `reciprocal` holds 1/L_jj. The first loop alone solves L x = b.
void lower_solve(Index n, const double* l, Index stride, const double* reciprocal, double* x);
void lower_transposed_solve(Index n, const double* l, Index stride, const double* reciprocal, double* x);

/// Turns the columns (x, y) by a rotation: x ← c x + s y, y ← c y − s x.
void rotate(Index n, double c, double s, double* x, double* y);

}  // namespace gnomon::detail
