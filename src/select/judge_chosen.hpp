#pragma once

#include "path_search.hpp"

namespace gnomon {

/// The error of the chosen fit from held-out errors of every point of the paths, the choice repeated on draws of the rows, or
/// corrected for; that of the width, which was chosen before, too, where there was one. Nothing for a learner that cannot hold rows out.
std::optional<ChosenError> error_along_paths(const TrainingData& data, const TargetFindings& found,
                                             const WidthSearch* widths, const Progress& progress);

/// Whether the error of the chosen fit is wanted, and there are rows enough for one.
bool judges_chosen(const TrainingData& data, const SelectionRequest& request);

/// Completes the errors of all targets, by nested folds where none is there yet; what hinders it is a warning.
void judge_chosen(const TrainingData& data, Selection& selection, const Progress& progress);

/// The error of the chosen fit of every target that has none yet: the whole selection is repeated without each fold and judged
/// by the rows of the fold. One selection per fold.
void judge_by_nested_folds(const TrainingData& data, Selection& selection, const Progress& progress);

}  // namespace gnomon
