#include "equal_criteria.hpp"

#include <algorithm>
#include <cmath>

namespace gnomon {
namespace {

/// The criterion whose choice it repeats where the two differ by a constant: often itself.
std::string_view family_of(const Criterion& c) { return c.equal_to.empty() ? c.name : c.equal_to; }

/// The same values up to one constant, to rounding, and undefined at the same points.
bool differ_by_a_constant(const Vector& a, const Vector& b) {
  constexpr double rounding = 1e-8;
  if (a.size() != b.size()) return false;
  double low = HUGE_VAL, high = -HUGE_VAL, size = 0;
  for (Index k = 0; k < a.size(); ++k) {
    if (std::isfinite(a[k]) != std::isfinite(b[k])) return false;
    if (!std::isfinite(a[k])) continue;
    low = std::min(low, a[k] - b[k]), high = std::max(high, a[k] - b[k]);
    size = std::max({size, std::abs(a[k]), std::abs(b[k])});
  }
  return !(high - low > rounding * size);
}

bool same_point(const PathOutcome& a, const PathOutcome& b) {
  constexpr double near = 1e-3;  // what the search between grid points leaves open
  const auto same = [](double u, double v) { return u == v || (std::isnan(u) && std::isnan(v)); };
  const bool same_lambda = same(a.lambda, b.lambda) || std::abs(std::log(a.lambda / b.lambda)) < near;
  return same_lambda && same(a.width, b.width) && same(a.tuning, b.tuning) &&
         differ_by_a_constant(a.curve.value, b.curve.value);
}

bool same_point(const SearchOutcome& a, const SearchOutcome& b) {
  constexpr double near = 1e-3;
  return (a.search.parameters - b.search.parameters).cwiseAbs().maxCoeff() < near;
}

}  // namespace

std::vector<std::vector<std::size_t>> by_choice(const Study& study, const TargetSelection& t) {
  const bool at_training_inputs = study.selection.metric.kind == Metric::Kind::train;
  std::vector<std::vector<std::size_t>> groups;
  std::visit(
      [&](const auto& found) {
        const auto& criteria = found.criteria;
        const auto equal = [&](std::size_t i, std::size_t k) {
          const Criterion &a = criteria[i].criterion, &b = criteria[k].criterion;
          const auto elsewhere = [&](const Criterion& c) {
            return c.target.where == Target::Where::in_metric && !at_training_inputs;
          };
          return family_of(a) == family_of(b) && !elsewhere(a) && !elsewhere(b) && criteria[i].selected &&
                 criteria[k].selected && same_point(criteria[i], criteria[k]);
        };
        for (std::size_t k = 0; k < criteria.size(); ++k) {
          const auto home = std::find_if(groups.begin(), groups.end(),
                                         [&](const auto& group) { return equal(group.front(), k); });
          if (home == groups.end())
            groups.push_back({k});
          else
            home->push_back(k);
        }
      },
      t.found);
  return groups;
}

}  // namespace gnomon
