#pragma once

#include <optional>

#include "gnomon/data/scaling.hpp"
#include "gnomon/learn/model.hpp"

namespace gnomon {

/// f(x) = offset + Σ_j coefficient_j x_j, x the features in the units of their columns.
struct LinearEquation {
  Vector coefficients;  ///< one per feature
  double offset = 0;
};

/// The equation of one target, where the function is linear in the features: on the basis `linear`, with the kernel
/// `linear`, or a network without hidden units. Nothing otherwise.
///   (x − shift)·factor before the function:  coefficient = c·factor,  offset = b − Σ c·factor·shift.
std::optional<LinearEquation> linear_equation(const Model&, const Scaling&, Index target);

}  // namespace gnomon
