#pragma once

#include "paths.hpp"

namespace gnomon::compare {

/// A criterion's choice in a search over several parameters.
struct SearchedChoice {
  bool found = false;  ///< false: it was undefined on these data
  double lambda = undefined, estimate = undefined;
  Vector fitted, predicted;  ///< of the fit at its choice: at the rows learned from, and at other inputs
};
struct SearchedChoices {
  std::vector<SearchedChoice> criteria;
  Vector unregularized;  ///< predictions with every decay at its lower bound, widths at their units
};

SearchedChoices search_choices(const TrainingData& data, const SelectionRequest& request,
                               const std::vector<AskedCriterion>& criteria, const Matrix& inputs);

/// From the errors of the choices at the inputs judged by. `wanted(c)` is what criterion c estimates; NaN if that is no error.
Trial trial_of_search(const SearchedChoices& choices, const std::function<double(const Vector&)>& error,
                      const std::function<double(std::size_t c)>& wanted);

/// The geometric mean of the decays at a point.
double common_decay(const std::vector<Parameter>& parameters, const Vector& point);

}  // namespace gnomon::compare
