#pragma once

#include "gnomon/select/selection.hpp"

namespace gnomon {

/// How far predictions move just outside the data: every row is pushed away from the mean of the rows by a tenth of its distance, and
/// the largest change of the prediction on the way, per target, is divided by the range of that target. At most a fifth for a linear
/// fit that stays within the targets; several times one for fits that run wild. The 200 outermost rows are asked.
Vector outside_reach(const Model& model, const TrainingData& data);

/// Says so where a fit of the selection moves by more than one and a half times the range of its target (bench/regret/outside.md). Kernels of
/// two rows are not asked.
void warn_of_reach(const TrainingData& data, Selection& selection);

}  // namespace gnomon
