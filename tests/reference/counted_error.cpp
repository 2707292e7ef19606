#include "reference/counted_error.hpp"

#include <fmt/format.h>

#include <limits>

#include "reference/fper.hpp"
#include "reference/gpe.hpp"

namespace gnomon::reference {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

HyperEstimate nothing_left(const CountedError& c) {
  return {infinite, c.has_gradient() ? Vector(Vector::Zero(c.d_m1.size())) : Vector(),
          "the fit uses up every observation (effective parameters = observations)", true};
}

}  // namespace

std::string overfit_warning(const CountedError& c) {
  if (!(c.m1 > 0.8 * c.observations)) return "";
  return fmt::format(
      "effective parameters {:.4g} exceed 0.8 of the {:.0f} observations: the training error nearly vanishes "
      "and "
      "so does this estimate; use cv, loo, gcv or evidence",
      c.m1, c.observations);
}

HyperEstimate fper(const CountedError& c) {
  if (!(c.left_squared > 0)) return nothing_left(c);
  HyperEstimate e;
  const double above = c.observations + c.m2;
  e.value = c.training_error * above / c.left_squared;
  if (c.has_gradient()) {
    e.gradient = (above * c.d_training_error + c.training_error * c.d_m2 - e.value * c.d_left_squared) /
                 c.left_squared;
  }
  e.warning = overfit_warning(c);
  e.overfitted = !e.warning.empty();
  return e;
}

HyperEstimate gpe(const CountedError& c, std::optional<double> noise_variance) {
  HyperEstimate e;
  if (noise_variance) {
    e.value = c.training_error + 2 * *noise_variance * c.m1 / c.samples;
    if (c.has_gradient()) e.gradient = c.d_training_error + 2 * *noise_variance / c.samples * c.d_m1;
    return e;
  }
  if (!(c.left > 0)) return nothing_left(c);
  e.value = c.training_error * (c.observations + c.m1) / c.left;
  if (c.has_gradient()) {
    e.gradient =
        ((c.observations + c.m1) * c.d_training_error + (c.training_error + e.value) * c.d_m1) / c.left;
  }
  e.warning = overfit_warning(c);
  e.overfitted = !e.warning.empty();
  return e;
}

HyperEstimate gcv(const CountedError& c) {
  if (!(c.left > 0)) return nothing_left(c);
  HyperEstimate e;
  const double factor = c.observations / c.left;
  e.value = c.training_error * factor * factor;
  if (c.has_gradient()) e.gradient = factor * factor * c.d_training_error + 2 * e.value / c.left * c.d_m1;
  return e;
}

}  // namespace gnomon::reference
