#pragma once

#include "gnomon/select/selection.hpp"

namespace gnomon {

/// A width per input by the default criterion must pay for itself: where the evidence, −2 log of a likelihood, falls by less than
/// 3 for every further width, one width for all of them is delivered, and a warning says so. With correlated inputs and few rows widths
/// of their own cost a fifth of the error; at this price they cost nothing there and keep their gain elsewhere
/// (bench/regret/widths_per_input.md). Named criteria are left alone.
Selection with_widths_that_pay(Selection found, const TrainingData& data, const SelectionRequest& request,
                               const Progress& progress);

}  // namespace gnomon
