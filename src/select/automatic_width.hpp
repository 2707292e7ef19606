#pragma once

#include "gnomon/select/selection.hpp"

namespace gnomon {

/// Whether `width` auto chooses for this request: a kernel with a width, which nobody named, and no importance weights. Elsewhere
/// auto is the median distance.
bool chooses_width(const SelectionRequest& request, const TrainingData& data);

/// The width whose path holds the least blend of leave-one-out and evidence (criteria/blend.cpp), summed over the targets, of
/// the median distance times 2^−2, …, 2^3 and further where the end is best, less a normal prior on its logarithm. At most
/// 2000 rows, drawn by the request's seed, are looked at; before them the whole range on 500. Undefined where the blend
/// is, or with fewer than 8 rows: then the median. Copies of rows count once. The studies behind the criterion, the prior and the range are in bench/regret.
///
/// Cost, in paths of leave-one-out on min(n, 2000) rows: 6 up to 500 rows, then 3 and, on 500 rows, 6.
WidthSearch choose_width(const SelectionRequest& request, const TrainingData& data, const Progress& progress);

}  // namespace gnomon
