#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

/// Where a regularization parameter ended.
enum class Verdict {
  interior,
  dropped,       ///< κ_g ran to infinity: the group is of no use, its weights are 0
  unregularized  ///< κ_g ran to zero: the group is fitted freely
};
/// "kept", "dropped", "not regularized".
const char* in_words(Verdict);

/// Value and gradient at log-parameters θ. A value that is not finite marks a point that cannot be used.
using LogObjective = std::function<Estimate(const Vector& theta)>;

struct SearchOptions {
  Vector lower, upper;               ///< bounds of θ, one per parameter
  std::vector<std::string> names{};  ///< of the parameters, for the status; empty = numbers
  double scale = 0;  ///< what tolerances are relative to; 0 = |value|, wrong where its zero is arbitrary
  double gradient_tolerance = 1e-6;  ///< on the projected gradient, relative to the scale
  double value_tolerance = 1e-10;    ///< relative decrease over three steps below which a start is done
  double longest_step = 2;           ///< |Δθ_g| of one step
  int max_evaluations = 200;         ///< of each start
  /// Parameters on a plateau (gradient below tolerance) are tried at their bounds and left there where the value is no
  /// worse by `plateau_tolerance` relative: "infinite" and "zero" are answers, not places on the way.
  bool probe_bounds = true;
  double plateau_tolerance = 1e-7;
};

struct SearchPoint {
  int start;  ///< which start this iterate belongs to; the number of starts: after bounds were tried at the end
  Vector parameters;
  double value, gradient_norm;  ///< of the projected gradient, largest entry
};

struct SearchResult {
  Vector parameters, gradient;
  double value = undefined;
  double gradient_norm = undefined;
  std::vector<Verdict> verdicts;   ///< at the upper bound = dropped, at the lower = unregularized
  std::vector<SearchPoint> trace;  ///< every accepted iterate of every start
  std::vector<double> value_of_start;
  int evaluations = 0;
  bool converged = false;
  std::string status;
};

/// Minimises over a box of log-parameters by projected BFGS with limited steps, from every start, and keeps the best. Dense
/// BFGS, O(parameters²) a step: the objective is the cost. Throws if no start has a finite value.
SearchResult minimise_log_parameters(const LogObjective& objective, const std::vector<Vector>& starts,
                                     const SearchOptions& options);

}  // namespace gnomon
