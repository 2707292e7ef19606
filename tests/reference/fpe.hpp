#pragma once

#include <limits>

#include "reference/counted_error.hpp"

namespace gnomon::reference {

/// Akaike's final prediction error, S(n + p)/(n − p). Meant for κ = 0: it counts every weight. +∞ for n ≤ p.
inline reference::HyperEstimate fpe(const reference::CountedError& c) {
  if (!(c.observations - c.weights > 1e-14 * c.observations)) {
    return {std::numeric_limits<double>::infinity(),
            c.has_gradient() ? Vector(Vector::Zero(c.d_m1.size())) : Vector(),
            "the fit uses up every observation (effective parameters = observations)", true};
  }
  const double factor = (c.observations + c.weights) / (c.observations - c.weights);
  return {c.training_error * factor, factor * c.d_training_error, "", false};
}

}  // namespace gnomon::reference
