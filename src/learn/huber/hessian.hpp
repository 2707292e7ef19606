#pragma once

#include <vector>

#include "learn/whitened_design.hpp"

namespace gnomon {

/// The Hessian H = B_SᵀW_S B_S + λ diag(1/s²) of Huber's objective on a partition, kept up to date as rows change
/// sides. It is factored as C^(1/2) Ĥ C^(1/2) with C = I + λ diag(1/s²), so that Ĥ = I when every row is in S and
/// the pivots of its Cholesky factor lie in [0, 1] whatever the design.
class HuberHessian {
 public:
  explicit HuberHessian(const WhitenedDesign& design);

  /// Moves to the partition `inside` (one flag per row) by the cheapest of: the changes, all of S, all of N.
  void move_to(const std::vector<char>& inside);

  /// Factors at λ. A numerically singular Ĥ gets 1e-10 added to its diagonal, and singular() says so: a solve then
  /// follows the flat directions of descent, to be stopped by a line search.
  void factor(double lambda);
  bool singular() const { return singular_; }
  double least_pivot() const { return least_pivot_; }
  /// d = H⁻¹g, stride() entries each.
  void solve(const double* g, double* d) const;
  /// tr(H⁻¹ N) for a size × size matrix.
  double trace_of_solve(Matrix n) const;
  /// tr(H⁻¹ B_SᵀW_S B_S), for a regular Hessian.
  double degrees_of_freedom() const;

 private:
  void accumulate(const std::vector<Index>& rows, double sign);

  const WhitenedDesign& design_;
  std::vector<char> inside_;
  bool filled_ = false;
  Matrix gram_;    ///< B_SᵀW_S B_S, lower triangle, stride × stride
  Matrix factor_;  ///< Cholesky factor of Ĥ, lower triangle
  Vector scale_;   ///< C^(−1/2)
  double lambda_ = 0, least_pivot_ = 1;
  bool singular_ = false;
  std::vector<Index> entering_, leaving_;
};

/// Singular values and vectors of the stacked square root [√W_S B_S; √λ diag(1/s)] C^(−1/2) of Ĥ: slower than the
/// Cholesky factor, and accurate for Hessians that are singular or nearly so.
struct HuberRoot {
  HuberRoot(const WhitenedDesign& design, std::vector<Index> inside, double lambda);

  Index rank() const { return rank_; }
  Index nullity() const { return v.cols() - rank_; }
  /// tr(H⁺ B_SᵀW_S B_S)
  double degrees_of_freedom() const;
  /// tr(H⁺ B_SᵀW_S P), P with one row per row of S.
  double trace(const Matrix& p) const;
  /// H⁺g
  Vector solve(const Vector& g) const;
  /// A direction z with Hz = 0; of a Hessian of nullity 1 the only one.
  Vector flat_direction() const { return scale.cwiseProduct(v.col(v.cols() - 1)); }

  std::vector<Index> rows;
  Vector root_weight, scale, s;
  Matrix u, v;

 private:
  Index rank_ = 0;
};

}  // namespace gnomon
