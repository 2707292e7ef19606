#pragma once

#include <memory>
#include <vector>

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

/// One of the widths of a search, prepared on all rows, with the λ of its path.
struct JudgedWidth {
  double width;
  std::unique_ptr<const Smoother> smoother;
  std::vector<double> lambdas;
};

/// The widths that were tried and not chosen, so that the choice can be made again on draws of the rows. Empty where it was made
/// otherwise than on all rows by the learner's own filter, and beyond 300 rows, where it moves the error by next to nothing
/// (bench/regret/coverage.md).
std::vector<JudgedWidth> widths_not_chosen(const SelectionRequest& request, const TrainingData& data,
                                           const WidthSearch& search);

/// −2 log of the prior of a width, up to a constant.
double prior_of_width(double width, const WidthSearch& search);

/// What the search judges a width by, at the points of its path: the blend, less the prior of the width.
Vector judged_width_values(const Smoother& smoother, const std::vector<double>& lambdas, double width,
                           const WidthSearch& search);

}  // namespace gnomon
