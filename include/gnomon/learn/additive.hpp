#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/learn/path_solver.hpp"

namespace gnomon {

class WhitenedDesign;

/// Additive regularization (Pelckmans, Suykens and De Moor, Neurocomputing 70 (2006)) with a shift v fixed in
/// advance, the affine learner of Sugiyama's SIC for non-linear learning:
///
///     minimise  Σ w_i (f(x_i) − y_i − v_i)² + λ‖a‖²,    f = Φa + b      (`objective`)
///     (a; b) = L(y + v),   J = L = (Φ̃ᵀWΦ̃ + λI′)⁻¹Φ̃ᵀW,   df = tr H = Σ s²/(s² + λ) + 1 with an intercept
///
/// The fit is affine in y, so the trace term of SIC is exact for any noise law; it does not involve v. `rss` is
/// measured to y, not to y + v. A constant shift is absorbed by an intercept: b moves by it and a stays.
/// From one SVD of the weighted, centred design any λ ≥ 0 costs O(n q); λ = 0 takes the pseudo-inverse (`unique`
/// is then false for a rank-deficient design). `gap` is the residual of the normal equations in the coordinates
/// of the singular vectors, relative to ‖√W(y + v)‖. `active` is empty.
class Additive final : public PathSolver {
 public:
  /// One value of the shift per row: an amplitude times shift_shape().
  Additive(const SolverDesign& design, Vector shift);
  ~Additive() override;

  std::string_view name() const override { return "additive"; }
  Dependence dependence() const override { return Dependence::affine; }
  const Vector& shift() const { return shift_; }

  std::vector<PathFit> path(const VectorView& y, std::span<const double> lambdas) const override;
  /// Direct, so the start is not used.
  PathFit refit(const VectorView& y, double lambda, const PathFit& start) const override;
  double trace(const PathFit& fit, const MatrixView& m) const override;
  Vector leverages(double lambda) const override;
  Vector target_shift() const override { return shift_; }
  /// From the null model to least squares in whole decades, 5 values each.
  std::vector<double> automatic_grid(const MatrixView& y) const override;

 private:
  PathFit fit(const VectorView& y, const VectorView& rotated, double lambda) const;

  std::shared_ptr<const WhitenedDesign> design_;
  Vector shift_;
};

/// "constant", "index:1" … "index:5", "x:1" … "x:5".
std::vector<std::string> shift_families();

/// Throws a UsageError for anything but a member of shift_families(). A free shift is refused: the trace term of
/// SIC does not involve v, so minimising SIC over all v merely returns least squares.
void check_shift_family(std::string_view family);

/// The shape of a shift, scaled to root mean square 1 over the rows, each as often as its weight says (empty = once):
///   constant  1
///   index:D   Legendre polynomial P_D in the row number mapped to [−1, 1]
///   x:D       P_D in the input mapped to [−1, 1]; of several columns, in the mean of the standardized columns
///             (constant ones left out)
/// x:D is that of the rows written out as often as their weight; index:D cannot be, as only written-out rows have places of
/// their own.
/// `x` is read by x:D only and must then have `rows` rows.
Vector shift_shape(std::string_view family, const MatrixView& x, Index rows,
                   const VectorView& weight = Vector());

}  // namespace gnomon
