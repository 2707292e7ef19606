#pragma once

#include "gnomon/report/block.hpp"
#include "gnomon/report/study.hpp"

namespace gnomon {

/// Whether a density is worth drawing: not for constants, indicators and the like.
bool has_density(const VectorView& values);

/// Densities of one input: training rows, test rows, and training rows under their full weights, which should look like
/// the test rows. Without test inputs the second is left out.
Chart density_chart(const Study&, Index column);

/// Weights over the one input, in full and as in the chosen fit.
Chart weight_chart(const Study&, const TargetSelection&);

/// Weights from the largest to the least, in full and as in the chosen fit.
Chart sorted_weight_chart(const Study&, const TargetSelection&);

}  // namespace gnomon
