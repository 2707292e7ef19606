#pragma once

#include <span>
#include <vector>

#include "gnomon/core/types.hpp"
#include "gram.hpp"

namespace gnomon::svr {

/// Cholesky factor of K + c·11ᵀ on a changing set of rows, the equations of the free rows of a fit.
///
/// With an intercept, c > 0: on Σd = 0 the term c·11ᵀ changes nothing, and the sum is positive definite exactly
/// when [K_FF 1; 1ᵀ 0] is regular, so that one test serves both. Without, c = 0.
class FreeRows {
 public:
  FreeRows(const Gram& gram, bool intercept);

  const std::vector<Index>& rows() const { return rows_; }
  Index size() const { return static_cast<Index>(rows_.size()); }

  /// Takes as many of the candidates as are independent; the others are returned.
  std::vector<Index> assign(std::vector<Index> candidates);
  /// Adds row i, O(m²). If it depends on the present ones nothing is added, false is returned, and
  /// `dependence()` is v with K(e_i + Σ v_k e_k) ≈ 0 and 1 + Σv ≈ 0.
  bool append(Index i);
  const Vector& dependence() const { return dependence_; }
  /// Takes out the row at a position, O(m²).
  void remove(Index position);

  /// Solves K_FF d + δ1 = rhs with Σd = total (with intercept), or K_FF d = rhs. Returns δ.
  double solve(const VectorView& rhs, double total, Vector& d) const;
  /// x ← (K_FF + c·11ᵀ)⁻¹ x, column by column.
  void divide(Eigen::Ref<Matrix> x) const;

 private:
  void grow(Index size);

  const Gram& gram_;
  bool intercept_;
  double shift_, scale_;
  std::vector<Index> rows_;
  Matrix l_;  ///< lower triangle in the leading corner
  Vector dependence_;
};

}  // namespace gnomon::svr
