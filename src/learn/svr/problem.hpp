#pragma once

#include <vector>

#include "gnomon/core/types.hpp"
#include "gram.hpp"

namespace gnomon::svr {

/// maximise yᵀβ − ε‖β‖₁ − ½βᵀKβ over |β| ≤ bound, and Σβ = 0 with intercept; then y lies about 0.
struct Problem {
  const Gram& gram;
  VectorView y;
  VectorView bound;
  double epsilon;
  bool intercept;
  double tolerance;

  Index rows() const { return y.size(); }
};

/// β feasible for the dual, and the offset that goes with it.
struct Point {
  Vector beta;
  double offset = 0;
};

/// Projects onto the box, then restores Σβ = 0: free rows give way first, then those at 0 or at a bound.
void make_feasible(const Problem& problem, Vector& beta);

/// From any β, b (as the function Kβ + b) to a feasible β near the optimum: Newton's method on the primal whose
/// loss has its corners rounded, which is the dual with K + μI (Chapelle, Neural Computation 19 (2007) 1155).
/// Many rows change sides in one step, which an active-set method cannot do.
void smooth_newton(const Problem& problem, Point& point);

struct Solution {
  Point point;
  std::vector<Index> free;     ///< independent rows with 0 < |β| < bound
  double primal = 0, gap = 0;  ///< gap = primal − dual ≥ 0
  Vector residual;             ///< y − Kβ − b
  bool converged = false;
  bool unique = true;
  Index below = -1, above = -1;  ///< with intercept and no free row: the rows that bound b
};

/// Primal active-set method on the dual, to rounding, from a feasible β.
Solution active_set(const Problem& problem, Point start);

}  // namespace gnomon::svr
