#pragma once

// Rows of a linear model reduced by an orthogonal factorisation to at most as many as there are inputs.

#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// [X y] = Q·[R c; 0 ρ]: |y − Xw|² = |c − Rw|² + rest for every w, without ever squaring the condition number.
struct CompressedRows {
  Matrix r;            ///< k×p, k = min(N, p); X itself for N ≤ p
  Matrix c;            ///< k×outputs
  Vector rest;         ///< the part of |y|² out of reach, per output; 0 for N ≤ p
  Matrix gram;         ///< R'R; empty where only the dual is wanted
  double samples = 0;  ///< N
};

/// By blocks of rows, O(N(p+q)²).
CompressedRows compress(const MatrixView& x, const MatrixView& y, bool gram);
/// Of both together; `others` are themselves compressed.
CompressedRows compress(const std::vector<const CompressedRows*>& others, bool gram);

}  // namespace gnomon
