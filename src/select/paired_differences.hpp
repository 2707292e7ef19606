#pragma once

#include <span>

#include "path_search.hpp"

namespace gnomon {

/// Standard errors of what a criterion says of every point of the paths less what it says at the place `least` among them
/// (CriterionCurve::difference_error); empty where they are not known.
///
/// iwloo, and under the rule that goes by them every mean of held-out errors: from the differences row by row. sic of learners affine in y, judged at points: its value is a quadratic function of y, and so is
/// the difference of two of them, with the matrix B − C and the gradient g − h; under Gaussian noise its variance is estimated
/// without bias by σ²|g − h|² − 2σ⁴ tr(B − C)².
Vector difference_errors(const Criterion& criterion, std::span<const TargetPath> paths, Index target,
                         const Metric& metric, const NoiseVariance& noise, Index least);

/// The same of a mean of the squared errors of rows that are held out by `folds`, or left out alone where there are none. `weight` of the
/// rows, empty = ones.
Vector held_out_difference_errors(std::span<const TargetPath> paths, Index target, const Folds& folds,
                                  const Vector& weight, Index least);

}  // namespace gnomon
