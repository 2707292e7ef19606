#pragma once

#include "gnomon/compare/ranking.hpp"
#include "select/candidates.hpp"
#include "select/criteria_list.hpp"

namespace gnomon::compare {

/// All points of all candidates' paths, one candidate after the other, and what each criterion makes of them.
struct JudgedPaths {
  std::vector<Index> first;  ///< where each candidate's path begins
  Index points = 0;
  struct Judgement {
    Vector estimate;               ///< at every point; empty where the criterion was undefined throughout
    std::optional<Index> point{};  ///< that it chooses
    double lambda = undefined;
    ErrorKind kind = ErrorKind::prediction;
  };
  std::vector<Judgement> criteria;
};

/// On the grids of the candidates. A criterion that is undefined on these data chooses nothing.
JudgedPaths judge_paths(const TrainingData& data, const SelectionRequest& request, const Metric& metric,
                        const std::vector<Candidate>& candidates,
                        const std::vector<AskedCriterion>& criteria);

/// The fits of a path, one column per λ.
struct PathFits {
  Matrix fitted;     ///< at the rows learned from
  Matrix predicted;  ///< at other inputs
};
PathFits fits_along(const Candidate& candidate, const Matrix& inputs);

/// In what the candidates differ.
Comparison comparison_of(const std::vector<Candidate>& candidates, const SelectionRequest& request);

/// From the error at every point. `wanted(c, k)` is what criterion c estimates at point k; NaN if that is no error.
Trial trial_of(const JudgedPaths& judged, const Vector& error, std::size_t base,
               const std::function<double(std::size_t c, Index k)>& wanted);

}  // namespace gnomon::compare
