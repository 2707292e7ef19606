#include "training_rows.hpp"

#include "candidates.hpp"
#include "data/row_blocks.hpp"
#include "gnomon/noise/noise.hpp"
#include "make_tunable.hpp"

namespace gnomon {

TrainingData rows_of(const TrainingData& data, const std::vector<Index>& rows) {
  TrainingData out;
  out.x = inputs_of(data)(rows, Eigen::all);
  out.y = data.y(rows, Eigen::all);
  if (data.weight.size()) out.weight = data.weight(rows);
  if (data.importance.size()) out.importance = data.importance(rows);
  out.target_names = data.target_names;
  out.feature_names = data.feature_names;
  out.feature_columns = data.feature_columns;
  out.classes = data.classes;
  out.dependence = data.dependence;
  out.groups = data.groups.of(rows);
  return out;
}

bool has_weights(const TrainingData& data) { return data.weight.size() && (data.weight.array() != 1).any(); }

bool stand_for_several(const TrainingData& data) {
  return data.weight.size() && (data.weight.array() > 1).any();
}

bool rows_stand_alone(const TrainingData& data) { return data.dependence == 0 && data.groups.empty(); }

std::vector<int> drawn_together(const TrainingData& data) {
  return data.groups.are_folds ? std::vector<int>() : data.groups.of_row;
}

const Matrix& inputs_of(const TrainingData& data) { return data.blocks ? data.blocks->whole() : data.x; }

bool reads_blocks(const SelectionRequest& request, Index rows, Index columns) {
  const bool smooths = request.learner->linear() && !uses_kernel(request) && !is_tuned(request) &&
                       request.learner->row_weights != RowWeights::density_ratios;
  const std::string noise = request.noise.method().name;
  return smooths && basis_of(request) == "linear" && request.subsets.empty() &&
         request.strategy == Strategy::automatic && smoother_is_tall(rows, columns) && !request.metric &&
         !request.further_targets && (noise == "auto" || noise == "given");
}

}  // namespace gnomon
