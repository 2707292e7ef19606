#pragma once

#include <optional>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Noise variance from three-point pseudo-residuals in the order of one input
/// (Gasser, Sroka and Jennen-Steinmetz, Biometrika 73, 1986):
///   e_i = a y_(i−1) + b y_(i+1) − y_(i),  a = (x_(i+1) − x_(i)) / (x_(i+1) − x_(i−1)),  b = 1 − a,
///   σ² = mean over the n−2 inner points of e_i² / (a² + b² + 1);   a = b = 1/2 where x_(i+1) = x_(i−1).
/// Exact on straight lines. Undefined for n < 3. Takes no weights, for the reason given at `rice`. Cost: O(n
/// log n).
std::optional<double> gsj(VectorView x, VectorView y);

}  // namespace gnomon
