#pragma once

// Thin wrappers over LAPACKE/CBLAS for Eigen types. Big products go through here: Eigen's own are compiled
// for the baseline instruction set.

#include <cblas.h>
#include <lapacke.h>

#include "gnomon/core/error.hpp"
#include "gnomon/core/types.hpp"

namespace gnomon::lapack {

/// Sizes as LAPACKE and CBLAS take them.
inline int as_int(Index n) { return static_cast<int>(n); }

struct SymmetricEigen {
  Vector values;   ///< descending
  Matrix vectors;  ///< columns, in the same order
};

/// Eigendecomposition of a symmetric matrix (lower triangle read). O(n³). Divide and conquer while its n²
/// workspace is small, else MRRR, which holds two n×n matrices in all.
SymmetricEigen symmetric_eigen(Matrix&& a);

struct ThinSvd {
  Matrix u;  ///< n × r
  Vector s;  ///< descending
  Matrix v;  ///< p × r
};

/// A = U diag(s) Vᵀ with r = min(n, p).
ThinSvd thin_svd(Matrix&& a);

/// alpha·A·v for symmetric A (lower triangle read).
Vector symmetric_times(const MatrixView& a, const VectorView& v, double alpha = 1);

/// QᵀAQ = T for symmetric A (lower triangle read; overwritten by the reflectors of Q, which leave the first axis alone). Resizes T's
/// diagonal, its off-diagonal and the scales τ of the reflectors.
void reduce_to_tridiagonal(Matrix& a, Vector& diagonal, Vector& off_diagonal, Vector& scales);

/// alpha·op(A)·op(B)
Matrix product(const MatrixView& a, bool transpose_a, const MatrixView& b, bool transpose_b,
               double alpha = 1);

/// Solves A X = B in place for symmetric positive definite A (lower triangle, overwritten by its Cholesky
/// factor). Returns false if A is not numerically positive definite.
bool solve_positive_definite(Matrix& a, Matrix& b);

}  // namespace gnomon::lapack
