#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

enum class Rule { minimum, one_standard_error };
/// gradient and mackay search over several parameters at once, where a learner has them.
enum class Search { grid, refine, gradient, mackay };

/// Where a criterion's curve is least.
struct Selected {
  double lambda, value;
  double standard_error = undefined;
  Index grid_index = 0;
  bool at_edge =
      false;  ///< the least grid value lies at an end of the grid and the curve still falls towards it
};

/// The least finite value of a curve over ascending λ; nothing if no value is finite. A failed candidate
/// never wins. one_standard_error: the largest λ whose value is within one standard error of the least.
std::optional<Selected> select_on_grid(const std::vector<double>& lambdas, const CriterionCurve& curve,
                                       Rule rule);

/// The continuous minimum between the neighbours of a grid minimum: `evaluate` is asked for the curve at
/// further λ, a few at a time, on the log scale, until the bracket is narrower than 1e-4 of a factor e.
Selected refine_minimum(const Selected& from, const std::vector<double>& lambdas,
                        const std::function<CriterionCurve(const std::vector<double>&)>& evaluate);

/// The vertex of the parabola through the grid minimum and its neighbours on the log scale, for criteria
/// whose evaluation at further λ costs as much as the whole path.
Selected interpolate_minimum(const Selected& from, const std::vector<double>& lambdas,
                             const CriterionCurve& curve);

}  // namespace gnomon
