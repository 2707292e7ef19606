#pragma once

#include <memory>

#include "gnomon/learn/path_solver.hpp"

namespace gnomon {

class WhitenedDesign;

struct HuberOptions {
  /// Residuals up to τ count squared, beyond it linearly. In units of y: 1.345 σ keeps 95% efficiency under
  /// Gaussian noise of standard deviation σ. automatic_tau() takes it from the data.
  double tau = 1.345;
};

/// Huber's robust regression with an optional ridge (Huber, Ann. Math. Statist. 35 (1964); Ann. Statist. 1
/// (1973)):
///
///     minimise  Σ w_i 2ρ_τ(y_i − b − φ_iᵀa) + λ‖a‖²,   ρ_τ(u) = u²/2 for |u| ≤ τ,  τ|u| − τ²/2 beyond
///
/// so that λ is the ridge λ of the sum of squares, and τ → ∞ gives ridge regression. `objective` is half of the
/// above, Σ w ρ_τ + (λ/2)‖a‖². With S = {|u_i| ≤ τ} (`active`, ascending rows) and ψ(u) = clamp(u, ±τ):
///
///     (Φ̃_SᵀW_SΦ̃_S + λI′)(a; b) = Φ̃_SᵀW_S y_S + τ Φ̃_NᵀW_N sign(u_N),     Φ̃ = [Φ 1], I′ without the constant
///     J = ∂(a; b)/∂y = (Φ̃_SᵀW_SΦ̃_S + λI′)⁻¹ Φ̃_SᵀW_S in the columns of S, 0 elsewhere;   df = Σ ∂f_i/∂y_i
///
/// At λ = 0 with a design of full rank, J Φ̃ = I whatever τ: the Stein term is constant in τ and cannot choose it.
///
/// Solved by Newton steps on the partition with an exact line search (Madsen and Nielsen, BIT 30 (1990)): finite,
/// and exact once a full step keeps the partition. The coordinates are the left singular vectors of the weighted,
/// centred design (one SVD per design), where the Hessian of the all-quadratic problem is I + λ diag(1/s²), so
/// that an ill-conditioned design costs no accuracy in the fit. Directions with s ≤ max(n, p)·ε·s₁ are given
/// coefficient 0: a wide or rank-deficient design yields the minimiser of least norm among those of equal fit.
///
/// `gap` = ‖gradient‖ in those coordinates over ‖√W ψ(y − b₀)‖, b₀ the weighted mean of y (0 without intercept),
/// or over 1e-3 ‖√W ψ(y)‖ where that is larger; about 1e-15 is usual. `converged` says that the gradient is within
/// 1e-9 of that scale plus what rounding of the residuals can leave, 32ε(‖√W_S y_S‖ + ‖√W f‖) (visible for τ ≪ |y| only).
/// `unique` is false where λ = 0 and the design is rank-deficient, and where few rows lie within τ, so that a
/// direction of zero curvature leaves the residuals beyond τ beyond it (with small τ, an even number of rows and a
/// strong penalty this is the offset: the median of an even sample). Then the lower end of the segment of minimisers
/// is returned (a vertex, if there are several flat directions), where a residual meets τ and counts to S: the fit
/// does not depend on the start, and df and J are its derivatives. With several flat directions and rows on |u| = τ
/// already, false means "may not be".
///
/// Cost: SVD once, O(n p min(n, p)); a Newton step O(k q²) + O(n q) + O(q³), q the rank and k the rows that
/// changed sides.
class Huber final : public PathSolver {
 public:
  explicit Huber(const SolverDesign& design, HuberOptions options = {});
  ~Huber() override;

  std::string_view name() const override { return "huber"; }
  Dependence dependence() const override { return Dependence::differentiable; }
  bool active_rows() const override { return true; }
  double tau() const { return options_.tau; }
  double loss_turn() const override { return options_.tau; }
  bool has_curvature() const override { return true; }
  /// Undefined where few rows lie within τ and no penalty holds the rest. O(n q² + q³), lags M > 0 add O(M n q).
  CostCurvature curvature(const PathFit& fit, const Vector& residual, Index lags) const override;

  std::vector<PathFit> path(const VectorView& y, std::span<const double> lambdas) const override;
  /// A start without coefficients is a cold start.
  PathFit refit(const VectorView& y, double lambda, const PathFit& start) const override;
  double trace(const PathFit& fit, const MatrixView& m) const override;
  /// From ridge's null model down to where neither loss feels the penalty: the smaller τ is beside the spread of
  /// y, the lower that lies. Whole decades, 5 values each.
  std::vector<double> automatic_grid(const MatrixView& y) const override;

 private:
  std::shared_ptr<const WhitenedDesign> design_;
  HuberOptions options_;
};

/// 1.345 × a robust scale of the noise: MAD/0.6745 of the residuals about their median, from a Huber fit whose own
/// τ follows the scale (repeated until it settles), times √(n/(n − df)). A ridge holds the fit at n/2 degrees of
/// freedom where the design has more (p ≥ n/2). If more than half of the residuals are equal the mean absolute
/// deviation is taken in place of the median one, and 1 if that vanishes too. Always positive.
double automatic_tau(const SolverDesign& design, const VectorView& y);

}  // namespace gnomon
