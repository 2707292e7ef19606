#pragma once

#include <functional>

#include "gnomon/select/selection.hpp"

namespace gnomon {

/// Fits a learner with the chosen parameters to some of the rows.
using FitToRows = std::function<Model(const TrainingData&)>;

/// Every row as the fit to the other folds predicts it, rows × targets: `folds` random folds by `seed`, of whole groups where rows come in
/// groups, as many refits. Empty
/// where there are too few rows, or where one of the fits cannot be made.
Matrix held_out_predictions(const TrainingData& data, int folds, std::uint64_t seed, const FitToRows& fit);

/// The same request with the parameters that were chosen in place of those to choose from.
SelectionRequest with_chosen(const TrainingData& data, const SelectionRequest& request,
                             const PathOutcome& chosen);

}  // namespace gnomon
