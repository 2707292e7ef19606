#pragma once

#include <string>
#include <vector>

#include "gnomon/select/request.hpp"

namespace gnomon {

/// Some of the input columns, as a model that uses no others.
struct ColumnSubset {
  std::string name;             ///< "age, bmi"
  std::vector<Index> features;  ///< their places, ascending
};

/// The subsets of a request on its data, smaller ones first where they are not named one by one. A text column goes in or
/// out with all its features. Refuses names that are not there or come twice, and more models than are worth trying.
std::vector<ColumnSubset> column_subsets(const TrainingData& data, const SelectionRequest& request);

/// Why subsets of columns cannot be chosen from, as the rest of a sentence that begins with the option; empty where they can.
std::string no_subsets(const SelectionRequest& request);

}  // namespace gnomon
