#pragma once

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Kish's effective sample size (Σw)²/Σw²: how many equally weighted rows would give a mean as steady. Between
/// 1 and n; undefined (NaN) if every weight is 0. Does not depend on the scale of w.
double effective_sample_size(const VectorView& w);

/// w^exponent with 0⁰ = 1: exponent 0 is no weighting at all, any exponent > 0 drops rows of weight 0.
Vector flattened(const VectorView& w, double exponent);

/// Throws unless every weight is finite and 0 or more, and one is positive.
void check_weights(const VectorView& w);

}  // namespace gnomon
