#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "gnomon/core/types.hpp"
#include "gnomon/learn/path_solver.hpp"

namespace gnomon {

/// A design in coordinates where its weighted Gram is the identity. With m the weighted column means (0 without
/// intercept), √W(Φ − 1mᵀ) = U diag(s) Vᵀ truncated at s ≤ max(n, p)·ε·s₁, and
///
///     f = Φa + b = Bz,   B = W^(−1/2)[U  √w/κ],  κ² = Σw,   BᵀWB = I
///     a = V diag(1/s) z,   b = z_last/κ − mᵀa,   ‖a‖² = Σ z_j²/s_j²
///
/// The last column and coordinate exist with an intercept only. Coefficients outside the row space of Φ are 0.
class WhitenedDesign {
 public:
  explicit WhitenedDesign(const SolverDesign& design);

  Index rows() const { return weight_.size(); }
  Index columns() const { return v_.rows(); }
  Index rank() const { return singular_.size(); }
  Index size() const { return rank() + (intercept_ ? 1 : 0); }
  /// Length of a row of B in memory: size() rounded up for vector instructions, filled with zeros.
  Index stride() const { return basis_.rows(); }
  bool intercept() const { return intercept_; }
  bool full_column_rank() const { return rank() == columns(); }

  const Vector& weight() const { return weight_; }
  const Vector& singular() const { return singular_; }
  /// Row i of B, contiguous.
  const double* row(Index i) const { return basis_.data() + i * basis_.rows(); }
  /// 1/s² for the penalised coordinates, 0 for the constant and the padding.
  const Vector& inverse_square() const { return inverse_square_; }

  /// out = Bz over rows, z of stride() entries.
  void apply(const double* z, double* out) const;
  /// out = Bᵀc, stride() entries; the caller puts the weights into c.
  void apply_transposed(const double* c, double* out) const;

  /// (a; b) from z, and z from (a; b).
  void coefficients(const double* z, Vector& a, double& offset) const;
  void coordinates(const VectorView& a, double offset, double* z) const;

  /// tr(T X M_S) with T: z ↦ (a; b) as Σ over k of row k of the result dotted with X's column k: returns the
  /// rows.size() × size() matrix M_S T, M as in PathSolver::trace.
  Matrix pull_back(const MatrixView& m, const std::vector<Index>& rows) const;

  /// λ from `low`·(hundredth of a degree of freedom short of least squares) to a hundredth left, in whole
  /// decades of 5.
  std::vector<double> grid(double low = 1) const;
  /// One step of iterative refinement of the ridge solution for these targets, residuals in extended precision: the last
  /// digits count where the parts of a criterion cancel. O(np); small designs only.
  void refine_ridge(const Vector& y, double lambda, Vector& a, double& offset) const;
  /// Leverages of ridge regression, w_i ∂f_i/∂(w_i y_i).
  Vector ridge_leverages(double lambda) const;
  /// Degrees of freedom of ridge regression, the intercept included.
  double ridge_df(double lambda) const;

 private:
  bool intercept_;
  std::shared_ptr<const Matrix> features_;
  Vector weight_, singular_, inverse_square_, centre_;
  double total_ = 0;  ///< κ
  Matrix v_;          ///< columns × rank
  Matrix basis_;      ///< stride × rows
};

/// Checks what every fit is given; `learner` names it in the message.
void check_targets(const WhitenedDesign&, const VectorView& y, std::string_view learner);
void check_lambda(double lambda, std::string_view learner);

}  // namespace gnomon
