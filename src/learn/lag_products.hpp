#pragma once

#include "gnomon/core/types.hpp"

namespace gnomon {

/// A = 2M + 1 − M(M+1)/n, how many products of rows up to M apart stand for one row; works on numbers with derivatives too.
template <class Number>
Number lag_count(Index lags, const Number& n) {
  const double m = static_cast<double>(lags);
  return 2 * m + 1 - m * (m + 1) / n;
}

/// Row k of the answer is Σ_{|i|≤M} c_|i| row(k+i), so that Σ_{|i|≤M} Σ_k c_|i| s_k s_{k+i}ᵀ = rowsᵀ·filtered.
Matrix lag_filtered(const MatrixView& rows, const Vector& weights);

}  // namespace gnomon
