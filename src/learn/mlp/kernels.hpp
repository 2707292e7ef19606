#pragma once

#include <cblas.h>

#include "gnomon/core/types.hpp"

namespace gnomon::mlp {

/// x ← tanh x, to about one unit in the last place; NaN stays NaN.
void tanh_in_place(double* x, Index n);
/// out ← out + a·x, elementwise.
void add_scaled(double a, const double* x, double* out, Index n);
/// out ← a∘b.
void multiply(const double* a, const double* b, double* out, Index n);
/// out ← out + a∘b.
void multiply_add(const double* a, const double* b, double* out, Index n);

/// C ← α op(A) op(B) + β C, column-major.
inline void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, Index m, Index n, Index k, double alpha,
                 const double* a, Index lda, const double* b, Index ldb, double beta, double* c, Index ldc) {
  if (m == 0 || n == 0) return;
  cblas_dgemm(CblasColMajor, ta, tb, static_cast<int>(m), static_cast<int>(n), static_cast<int>(k), alpha, a,
              static_cast<int>(lda), b, static_cast<int>(ldb), beta, c, static_cast<int>(ldc));
}

}  // namespace gnomon::mlp
