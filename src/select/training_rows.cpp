#include "training_rows.hpp"

namespace gnomon {

TrainingData rows_of(const TrainingData& data, const std::vector<Index>& rows) {
  TrainingData out;
  out.x = data.x(rows, Eigen::all);
  out.y = data.y(rows, Eigen::all);
  if (data.weight.size()) out.weight = data.weight(rows);
  if (data.importance.size()) out.importance = data.importance(rows);
  out.target_names = data.target_names;
  out.feature_names = data.feature_names;
  out.feature_columns = data.feature_columns;
  out.classes = data.classes;
  out.dependence = data.dependence;
  return out;
}

}  // namespace gnomon
