#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

enum class Rule {
  minimum,
  one_standard_error,  ///< the largest λ whose value is within the least value's standard error of it
  paired               ///< the largest λ whose value is within the standard error of their difference
};
/// gradient and mackay search over several parameters at once, where a learner has them.
enum class Search { grid, refine, gradient, mackay };

/// The least value of a criterion.
struct Selected {
  double value;
  double standard_error = undefined;  ///< NaN without one
  bool at_edge = false;               ///< at a bound of what was searched, and not because it is flat there
};

/// Where a criterion's curve is least. At an edge: the least grid value lies at an end of the grid and the curve still
/// falls towards it.
struct GridMinimum : Selected {
  double lambda = undefined;
  Index grid_index = 0;  ///< the nearest λ of the grid
};

/// The least finite value of a curve over ascending λ; nothing if no value is finite. A failed candidate
/// never wins.
std::optional<GridMinimum> select_on_grid(const std::vector<double>& lambdas, const CriterionCurve& curve,
                                          Rule rule);

/// The continuous minimum between the neighbours of a grid minimum: `evaluate` is asked for the curve at
/// further λ, a few at a time, on the log scale, until the bracket is narrower than 1e-4 of a factor e.
GridMinimum refine_minimum(const GridMinimum& from, const std::vector<double>& lambdas,
                           const std::function<CriterionCurve(const std::vector<double>&)>& evaluate);

/// The vertex of the parabola through the grid minimum and its neighbours on the log scale, for criteria
/// whose evaluation at further λ costs as much as the whole path.
GridMinimum interpolate_minimum(const GridMinimum& from, const std::vector<double>& lambdas,
                                const CriterionCurve& curve);

}  // namespace gnomon
