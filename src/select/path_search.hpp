#pragma once

#include "candidates.hpp"
#include "gnomon/select/selection.hpp"
#include "noise/replicates.hpp"
#include "searcher.hpp"

namespace gnomon {

/// A candidate's path for one target.
struct TargetPath {
  const Candidate* candidate;
  std::vector<Counts> counts;
  const std::vector<PathFit>* fits;  ///< of learners that are solved anew for every y; null for the others

  const Learner& learner() const { return *candidate->learner; }
  const std::vector<double>& lambdas() const { return candidate->lambdas; }
};

/// The point of a path where GCV is least; nothing where it is nowhere defined.
std::optional<std::size_t> gcv_minimum(const TargetPath&);
/// Its value there, or infinity.
double least_gcv(const TargetPath&);

/// The fits of several paths with their weights in an average.
struct AveragedFits {
  std::vector<TargetPath> paths;  ///< those found, then those of further widths
  Vector
      value;  ///< what the weights come from, at every point, path after path; NaN where there is no weight
  Vector weight;  ///< adds up to one
};

/// What was found for one target, on its way to becoming a TargetSelection.
struct TargetFindings {
  const SelectionRequest& request;
  const Metric& metric;
  Index target;
  std::vector<TargetPath> paths;
  std::size_t chosen = 0;  ///< the path that the first criterion chose
  Replicates repeats{};    ///< among the rows
  TargetSelection result{};
  std::optional<AveragedFits> averaged{};  ///< where the request asks for an average

  const Learner& learner() const { return paths[chosen].learner(); }
  /// What is reported of the paths.
  SelectionPath& laid_out() { return *result.path(); }
  const SelectionPath& laid_out() const { return *result.path(); }
};

/// Copies of rows raise the evidence without bound towards the fit through all of them: a blend judges fits that leave a
/// fifth of the distinct rows over, and its values elsewhere become undefined. `counts` belong to the values.
void leave_out_copied_fits(const Criterion& criterion, const Replicates& repeats,
                           const std::vector<Counts>& counts, Vector& values);

/// Searches along the paths of every candidate: over a grid of λ, and between its points where the request says so.
/// `widths`: how the width of the request was chosen, null where it was named.
std::unique_ptr<Searcher> search_paths(const TrainingData& data, const SelectionRequest& request,
                                       const Metric& metric, const WidthSearch* widths,
                                       const Progress& progress);

/// Evaluates every criterion along every candidate's path and describes the chosen point.
TargetFindings find_for_target(const TrainingData& data, const SelectionRequest& request,
                               const Metric& metric, const std::vector<Candidate>& candidates,
                               const std::vector<AskedCriterion>& criteria, Index target,
                               const Progress& progress);

/// The bad news of a result, in words.
std::vector<std::string> warnings_of(const TargetFindings&);

}  // namespace gnomon
