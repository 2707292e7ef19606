#include "held_out_predictions.hpp"

#include <cmath>

#include "candidates.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/data/folds.hpp"
#include "training_rows.hpp"

namespace gnomon {
Matrix held_out_predictions(const TrainingData& data, int folds, std::uint64_t seed, const FitToRows& fit) {
  const Index n = data.y.rows();
  if (n < 2 * folds) return {};
  const Folds parts = unordered_folds(n, data.groups, folds, seed);
  Matrix out(n, data.y.cols());
  for (int part = 0; part < parts.count; ++part) {
    std::vector<Index> held, kept;
    for (Index i = 0; i < n; ++i)
      (parts.of_row[static_cast<std::size_t>(i)] == part ? held : kept).push_back(i);
    try {
      out(held, Eigen::all) = fit(rows_of(data, kept)).predict(inputs_of(data)(held, Eigen::all));
    } catch (const Error&) {  // a fold without the one row that tells two inputs apart, say: nothing to show
      return {};
    }
  }
  return out;
}

SelectionRequest with_chosen(const TrainingData& data, const SelectionRequest& asked,
                             const PathOutcome& chosen) {
  SelectionRequest request = on_representation(data, asked, chosen.representation);
  request.lambda = chosen.lambda;
  if (std::isfinite(chosen.width)) request.width = chosen.width;
  if (const auto& tuning = request.learner->tuning; tuning && std::isfinite(chosen.tuning))
    request.*(tuning->values ? tuning->values : &SelectionRequest::tuning) = chosen.tuning;
  request.criteria = {"gcv"};  // nothing is judged again: no folds and no leverages to prepare for
  request.own_criteria.clear();
  request.keep_held_out = request.chosen_error = false;
  return request;
}

}  // namespace gnomon
