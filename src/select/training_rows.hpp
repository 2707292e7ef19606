#pragma once

#include "gnomon/select/request.hpp"

namespace gnomon {

/// Some of the rows, with all that belongs to them; test rows stay behind.
TrainingData rows_of(const TrainingData& data, const std::vector<Index>& rows);

/// Whether rows have weights that are not all 1.
bool has_weights(const TrainingData& data);

/// Whether rows of weight above 1 stand for several, of which leaving one out leaves the others in.
bool stand_for_several(const TrainingData& data);

/// Whether no row tells of another: neither a series nor groups.
bool rows_stand_alone(const TrainingData& data);

/// The group of every row, where rows of one group may be alike; empty = none. Folds that were given say nothing of that.
std::vector<int> drawn_together(const TrainingData& data);

/// The inputs as a matrix, made where they are read block by block.
const Matrix& inputs_of(const TrainingData& data);

/// Whether the inputs of this request are best read block by block: ridge on the columns of a tall table.
bool reads_blocks(const SelectionRequest& request, Index rows, Index columns);

}  // namespace gnomon
