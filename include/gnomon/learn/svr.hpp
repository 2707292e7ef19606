#pragma once

#include <memory>

#include "gnomon/learn/path_solver.hpp"

namespace gnomon {

namespace svr {
class Gram;
}

struct SvrOptions {
  double epsilon = 0;   ///< half width of the tube without loss, in units of y; 0 = absolute deviations
  bool kernel = false;  ///< the features are the Gram K of a kernel, not columns of a basis
  double tolerance =
      1e-10;  ///< relative duality gap of a converged fit; the finite method normally ends at rounding
};

/// Support vector regression with the ε-insensitive loss |u|_ε = max(0, |u| − ε):
///
///   minimise  2 Σ w_i |y_i − f_i|_ε + λ ‖f‖²,   f = g + b,   ‖f‖² = aᵀa (basis g = Φa) or βᵀKβ (kernel g = Kβ),
///
/// b free of penalty, or absent without intercept. Divided by 2λ this is LIBSVM's ½‖f‖² + Σ C_i |u_i|_ε with
/// C_i = w_i/λ (Chang and Lin, ACM TIST 2 (2011) 27; Schölkopf and Smola, Learning with Kernels (2002), §9.2).
/// The dual has one signed variable per row, Φᵀβ = a for a basis:
///
///   maximise  yᵀβ − ε‖β‖₁ − ½ βᵀKβ   over |β_i| ≤ C_i, and Σβ = 0 with intercept.
///
/// Method: a few Newton steps on the loss with its corners rounded find nearly the right partition of the rows;
/// a primal active-set method on the dual then ends at a partition whose equations hold to rounding. Singular
/// Grams (equal rows, low rank) are served: free rows are kept independent.
///
/// A fit's fields
///   coefficients  β for a kernel, a for a basis
///   objective     ½‖f‖² + Σ C_i |y_i − f_i|_ε: LIBSVM's, which is the one above divided by 2λ
///   gap           (primal − dual)/primal, the primal at the returned f; a sum of non-negative terms, so exact
///                 to rounding; 0 where the primal is 0
///   converged     gap ≤ tolerance, or ≤ what rounding of f alone contributes (which C_i magnifies as λ → 0)
///   unique        false where b may move without loss, which needs that no row is free; b is then the middle
///                 of its interval. g is always unique; its β is not if K is singular
///   active        rows with β ≠ 0, the support vectors, ascending
///   dual          β by row; with an intercept and no free row, two more entries: the row numbers whose targets
///                 bound the interval of b from below and from above
///   df            as derived here.
///
/// Degrees of freedom. At a solution let F be the free rows, 0 < |β_i| < C_i, for which y_i − f_i = ε s_i with
/// s_i = sign β_i; the others have β_i = 0 inside the tube or β_i = ±C_i outside it. For almost every y these
/// relations are strict off F, so that the partition is locally constant: β is constant off F, and
///
///   [K_FF 1; 1ᵀ 0] [dβ_F; db] = [dy_F; 0]        (K_FF dβ_F = dy_F without intercept).
///
/// Hence df_F = dy_F, and f_i does not feel y_i for i off F: Σ ∂f_i/∂y_i = |F| whenever the matrix is regular.
/// For almost every y it is: |F| rows with f_F = y_F − ε s_F, the rest of β fixed, would otherwise put y_F into
/// one of finitely many proper affine subspaces. On that null set (tied rows) a maximal independent part of F
/// is used, and df is the rank. Without a free row but with an intercept, Σβ = 0 is met by bounds alone and
/// b = ½(max_i l_i + min_i u_i) over limits l_i, u_i = y_i − g_i ± ε moves by half of each of its two limiting
/// targets: df = 1. The solution of this parametric quadratic programme is piecewise affine and continuous in
/// y, so Stein's identity holds under Gaussian noise.
///
/// Cost of a fit: a kernel holds K, O(n²) memory, each Newton step O(n·(changed rows) + |F|³/3); a basis with
/// n > 2p never forms K: O(np) memory and O(np + |F|p²) a Newton step. A call is O(n·|F|) or O(np) per pivot.
class Svr final : public PathSolver {
 public:
  Svr(SolverDesign design, SvrOptions options);
  ~Svr() override;

  std::string_view name() const override { return "svr"; }
  Dependence dependence() const override { return Dependence::differentiable; }
  bool active_rows() const override { return true; }
  const SvrOptions& options() const { return options_; }

  /// Walks from the largest λ to the smallest.
  std::vector<PathFit> path(const VectorView& y, std::span<const double> lambdas) const override;
  PathFit refit(const VectorView& y, double lambda, const PathFit& start) const override;
  double trace(const PathFit& fit, const MatrixView& m) const override;

  /// Whole decades, five values in each: from C = 10⁴ spread/k, which interpolates the tube, to C = spread/(100 n k),
  /// at which g cannot exceed a hundredth of the spread, k the mean diagonal of the (centred) Gram; at most eight.
  std::vector<double> automatic_grid(const MatrixView& y) const override;

 private:
  Vector bounds(double lambda) const;
  void check(const VectorView& y) const;

  SolverDesign design_;
  SvrOptions options_;
  std::unique_ptr<const svr::Gram> gram_;
};

}  // namespace gnomon
