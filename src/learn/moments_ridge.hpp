#pragma once

#include <functional>
#include <mutex>

#include "decompose/gram_statistics.hpp"
#include "gnomon/learn/path_solver.hpp"

namespace gnomon {

/// Weighted least squares with an optional ridge term from the cross products G = V diag(d) Vᵀ of a tall design about
/// its weighted means. Fits to the targets behind the moments never go over the rows; fits to other targets, leverages
/// and traces with given matrices do, and only they need the weights of the rows.
class MomentsRidge final : public PathSolver {
 public:
  /// Null where the cross products are too ill conditioned to be solved. `weight` is called when first needed and may
  /// give an empty vector for ones; design.weight is not looked at.
  static std::unique_ptr<MomentsRidge> make(const SolverDesign& design, std::function<Vector()> weight,
                                            const CentredGram& known);

  std::string_view name() const override { return "iwls"; }
  Dependence dependence() const override { return Dependence::affine; }
  std::vector<PathFit> path(const VectorView& y, std::span<const double> lambdas) const override;
  PathFit refit(const VectorView& y, double lambda, const PathFit&) const override {
    return path(y, {&lambda, 1}).front();
  }
  double trace(const PathFit& fit, const MatrixView& m) const override;
  Vector leverages(double lambda) const override;
  std::vector<double> automatic_grid(const MatrixView&) const override;

  /// Fits to a target that the moments are of. The residual sum of squares counts each row once: from the moments
  /// `counted`. Empty where it cancels in them.
  std::optional<std::vector<PathFit>> path_of_target(Index target, std::span<const double> lambdas,
                                                     const GramStatistics& counted) const;
  /// tr(J M) for M with rows w_i [φ_i − c, 1] P and J = ∂(coefficients; value at c)/∂y; the last entries belong to the
  /// intercept and are absent without one. `paired` are the moments under w times the weights of the fit. O(p³).
  double trace(const PathFit& fit, const GramStatistics& paired, const Vector& c, const Matrix& p) const;

 private:
  MomentsRidge(const SolverDesign& design, std::function<Vector()> weight, const CentredGram& known,
               Vector values, Matrix vectors);
  const Vector& weight() const;
  Vector features_transposed(const Vector& v) const;
  /// What follows from Σ v (φ − φ̄)(y − ȳ): λ, coefficients, offset and degrees of freedom.
  PathFit solve(const Vector& rotated, double y_mean, double lambda) const;

  SolverDesign design_;
  std::function<Vector()> make_weight_;
  mutable std::once_flag weight_made_;
  mutable Vector weight_;
  CentredGram known_;
  Vector values_;   // d
  Matrix vectors_;  // V
};

}  // namespace gnomon
