#include "gnomon/select/selected.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

double deviation(const CriterionCurve& curve, Index k) {
  return curve.standard_error.size() ? curve.standard_error[k] : undefined;
}

Index least(const Vector& value) {
  Index best = -1;
  for (Index k = 0; k < value.size(); ++k) {
    if (std::isfinite(value[k]) && (best < 0 || value[k] < value[best])) best = k;
  }
  return best;
}

/// An end of the grid only matters if the curve really falls towards it: on a flat stretch (the null model,
/// say) going on would change nothing.
bool falls_towards_edge(const Vector& value, Index k) {
  const Index last = value.size() - 1;
  if (last == 0 || (k != 0 && k != last)) return false;
  const double inner = value[k == 0 ? 1 : last - 1];
  // Against what the curve covers at all: its level may be arbitrary.
  double most = value[k];
  for (const double v : value) {
    if (std::isfinite(v)) most = std::max(most, v);
  }
  return !(std::abs(inner - value[k]) <= 1e-6 * (most - value[k]));
}

}  // namespace

std::optional<GridMinimum> select_on_grid(const std::vector<double>& lambdas, const CriterionCurve& curve,
                                          Rule rule) {
  Index k = least(curve.value);
  if (k < 0) return std::nullopt;
  if (rule != Rule::minimum) {
    const bool paired = rule == Rule::paired;
    require(
        (paired ? curve.difference_error : curve.standard_error).size() > 0,
        "rule {} needs a criterion with a standard error{}, such as cv or loo; this one has none for this "
        "learner",
        paired ? "paired" : "1se", paired ? " of its differences" : "");
    for (Index j = curve.value.size() - 1; j > k; --j) {
      if (curve.value[j] <= curve.value[k] + (paired ? curve.difference_error[j] : curve.standard_error[k])) {
        k = j;
        break;
      }
    }
  }
  return GridMinimum{{curve.value[k], deviation(curve, k), falls_towards_edge(curve.value, k)},
                     lambdas[static_cast<std::size_t>(k)],
                     k};
}

GridMinimum refine_minimum(const GridMinimum& from, const std::vector<double>& lambdas,
                           const std::function<CriterionCurve(const std::vector<double>&)>& evaluate) {
  constexpr int inside = 8;
  const Index last = static_cast<Index>(lambdas.size()) - 1, k = from.grid_index;
  if (k == 0 || k == last) return from;
  GridMinimum best = from;
  double lo = std::log(lambdas[static_cast<std::size_t>(k - 1)]),
         hi = std::log(lambdas[static_cast<std::size_t>(k + 1)]);
  if (!std::isfinite(lo)) return from;  // a list that starts at λ = 0
  while (hi - lo > 1e-4) {
    const double step = (hi - lo) / (inside + 1);
    std::vector<double> points;
    for (int i = 1; i <= inside; ++i) points.push_back(std::exp(lo + step * i));
    const CriterionCurve curve = evaluate(points);
    const Index i = least(curve.value);
    if (i < 0) return best;
    if (curve.value[i] < best.value) {
      best.lambda = points[static_cast<std::size_t>(i)];
      best.value = curve.value[i];
      best.standard_error = deviation(curve, i);
    }
    const double centre = std::log(best.lambda);
    lo = std::max(lo, centre - step);
    hi = std::min(hi, centre + step);
  }
  return best;
}

GridMinimum interpolate_minimum(const GridMinimum& from, const std::vector<double>& lambdas,
                                const CriterionCurve& curve) {
  const Index last = static_cast<Index>(lambdas.size()) - 1, k = from.grid_index;
  if (k == 0 || k == last) return from;
  const auto at = [&](Index i) { return std::log(lambdas[static_cast<std::size_t>(i)]); };
  const double x0 = at(k - 1) - at(k), x2 = at(k + 1) - at(k), y1 = curve.value[k];
  const double d0 = (curve.value[k - 1] - y1) / x0, d2 = (curve.value[k + 1] - y1) / x2;
  const double curvature = (d2 - d0) / (x2 - x0);
  if (!std::isfinite(curvature) || !(curvature > 0)) return from;
  const double slope = d0 - curvature * x0, shift = std::clamp(-slope / (2 * curvature), x0, x2);
  GridMinimum best = from;
  best.lambda = from.lambda * std::exp(shift);
  best.value = y1 + slope * shift + curvature * shift * shift;
  return best;
}

}  // namespace gnomon
