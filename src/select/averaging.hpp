#pragma once

#include "path_search.hpp"

namespace gnomon {

/// Throws where the request asks for an average that is not defined: without blend, or by another criterion.
void check_averaging(const SelectionRequest& request);
/// The same of what depends on the data: several targets, importance weights, a series.
void check_averaging(const SelectionRequest& request, const TrainingData& data);

/// exp(−value/4) over their sum, 0 where the value is undefined. The values are minus twice a log likelihood, so these are the square
/// roots of posterior weights: the study in bench/regret/kernel_ridge.md found them safer than the weights themselves. The smallest
/// ones are dropped that make up less than a millionth together.
Vector averaging_weights(const Vector& value);

/// The widths that were tried beside the chosen one and can have a weight that counts.
std::vector<double> widths_to_average(const WidthSearch& search);

/// All fits of the paths found, and of those of other widths, with their weights. Nothing where the criterion is undefined throughout,
/// so that another one chose.
std::optional<AveragedFits> averaged_fits(const TargetFindings& found, const std::vector<Candidate>& beside,
                                          const WidthSearch* widths);

/// Path by path, those of no weight left out.
Combined combined_of(const AveragedFits& fits);
/// Σ weight × df, the trace of the average's own smoother at these weights.
double df_of(const AveragedFits& fits);
/// Every row's residual by the average of fits that had not seen it, at these weights.
Vector left_out_residuals(const AveragedFits& fits, Index target);
/// One term for every path; a single expansion where there is one path. O(n²) for every fit that has weight.
Fit average_of(const AveragedFits& fits);

}  // namespace gnomon
