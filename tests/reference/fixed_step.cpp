#include "fixed_step.hpp"

#include <cmath>

#include "gnomon/core/error.hpp"

namespace gnomon::reference {

SearchResult descend_with_fixed_step(const LogObjective& objective, const Vector& kappa,
                                     const FixedStepOptions& options) {
  require(options.step > 0 && options.lower > 0,
          "descent: the step {} and the lower bound {} must be positive", options.step, options.lower);
  SearchResult result;
  Vector here = kappa.cwiseMax(options.lower);
  Estimate e;
  for (int step = 0; step <= options.max_steps; ++step) {
    e = objective(here.array().log());
    ++result.evaluations;
    if (!std::isfinite(e.value)) break;
    result.gradient_norm = 0;
    for (Index g = 0; g < here.size(); ++g) {
      const bool held = here[g] <= options.lower && e.gradient[g] > 0;
      if (!held) result.gradient_norm = std::max(result.gradient_norm, std::abs(e.gradient[g]));
    }
    result.parameters = here.array().log(), result.value = e.value, result.gradient = e.gradient;
    result.trace.push_back({0, result.parameters, e.value, result.gradient_norm});
    result.converged = result.gradient_norm <= options.tolerance * std::abs(e.value);
    if (result.converged) break;
    here = (here - options.step * e.gradient.cwiseQuotient(here)).cwiseMax(options.lower);
  }
  require(!result.trace.empty(), "descent: the criterion is not finite at the start; begin elsewhere");
  result.value_of_start = {result.value};
  for (Index g = 0; g < here.size(); ++g)
    result.verdicts.push_back(std::exp(result.parameters[g]) <= options.lower * (1 + 1e-12)
                                  ? Verdict::unregularized
                                  : Verdict::interior);
  result.status = result.converged
                      ? fmt::format("converged after {} steps", result.evaluations - 1)
                      : fmt::format("not converged after {} steps of length {}: gradient still {:.2g}",
                                    result.evaluations - 1, options.step, result.gradient_norm);
  return result;
}

}  // namespace gnomon::reference
