#pragma once

#include "path_search.hpp"

namespace gnomon {

/// Standard errors of what a criterion says of every point of the paths less what it says at the place `least` among them
/// (CriterionCurve::difference_error); empty where they are not known.
///
/// iwloo: from the differences row by row. sic of learners affine in y, judged at points: its value is a quadratic function of y, and so is
/// the difference of two of them, with the matrix B − C and the gradient g − h; under Gaussian noise its variance is estimated
/// without bias by σ²|g − h|² − 2σ⁴ tr(B − C)².
Vector difference_errors(const Criterion& criterion, const std::vector<TargetPath>& paths, Index target,
                         const Metric& metric, const NoiseVariance& noise, Index least);

}  // namespace gnomon
