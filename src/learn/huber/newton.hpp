#pragma once

#include <vector>

#include "gnomon/learn/path_solver.hpp"
#include "hessian.hpp"
#include "learn/whitened_design.hpp"

namespace gnomon {

/// One y, any number of λ: Newton's method on the partition of rows by |u_i| ≤ τ, from wherever it stands.
class HuberNewton {
 public:
  HuberNewton(const WhitenedDesign& design, const VectorView& y, double tau);

  /// Starts from ridge regression; from larger τ downwards where τ is small beside its residuals.
  void start_cold(double lambda);
  void start_from(const PathFit& fit);
  /// Minimises at λ from the present point, then polishes on the final partition.
  void solve(double lambda);
  /// The present point with its certificate.
  PathFit fit();

  /// Residuals of the present point.
  const Vector& residual() const { return residual_; }

 private:
  bool descend(double tau, int limit);
  void polish();
  void refresh_residual();
  double gradient_gap(double tau);
  double line_search(double tau) const;
  struct Reach {
    double step;
    Index row;  ///< −1: no row ever
  };
  double edge(Index i) const;
  Reach reach(const Vector& direction, const std::vector<char>& interior) const;
  void settle();

  const WhitenedDesign& design_;
  VectorView y_;
  double tau_, lambda_ = 0, gap_scale_ = 0, gap_ = 0;
  bool unique_ = true;
  HuberHessian hessian_;
  Vector z_, direction_, gradient_, residual_, along_, psi_;
  std::vector<char> inside_;
  mutable std::vector<double> breakpoints_;
};

}  // namespace gnomon
