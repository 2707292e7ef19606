#pragma once

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Per λ, Σ w e² and Σ w e⁴ of leave-one-out residuals e, for the mean and its standard error. A weight is a
/// count, and one unit of it (all of it, if it is less) is left out: with leverage H̃_ii in weighted
/// coordinates
///   e_i = r_i / (1 − H̃_ii u_i/w_i),   u_i = min(1, w_i).
/// NaN where some row has leverage 1 to rounding, so that leaving it out is not determined by the fit.
struct LeaveOneOutSums {
  Vector squares, fourths;
  Vector least;  ///< the smallest 1 − H̃_ii u_i/w_i of a row
  double weight = 0;
  Index rows = 0;
};

}  // namespace gnomon
