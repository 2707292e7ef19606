#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gnomon/data/scaling.hpp"
#include "gnomon/select/selection.hpp"
#include "gnomon/shift/verdict.hpp"

namespace gnomon {

/// The true error along the path: of simulated data, or on labelled test rows.
struct TruthCurve {
  Vector value;  ///< per point of the path
  double noise_variance = undefined;
  std::string description;  ///< what it is the error of, in words
};

/// What is known of a covariate shift between training and test inputs.
struct ShiftStudy {
  std::string method;  ///< of the density ratio, or the name of the weight column
  std::vector<std::pair<std::string, double>> parameters;  ///< of the method, chosen or given
  Vector weight;                                           ///< density ratio at the training rows
  std::optional<ShiftVerdict> verdict;                     ///< where there are test inputs
  Matrix test_x;                                           ///< in the user's units; empty without test inputs
};

/// A finished selection with the data it was made on: all that any output may show.
struct Study {
  std::string source;   ///< file name, or what made the data
  std::string command;  ///< what the user typed, if it is known
  std::vector<std::pair<std::string, std::string>>
      asked;  ///< options of the data by name, as they were given
  Selection selection;
  Matrix x, y;    ///< in the user's units; without x its charts are left out of the page
  Vector weight;  ///< empty = ones
  std::vector<std::string> feature_names;
  std::vector<std::string> classes;  ///< y holds their indicators, one column each; empty = regression
  std::vector<std::string> notes;    ///< what was done to the data
  Scale scale = Scale::standard;
  std::optional<Scaling> scaling{};  ///< as it was applied; empty: what `scale` makes of x
  Index test_rows = 0;
  std::vector<std::optional<double>>
      test_error;  ///< per target; true mean squared error on labelled test rows
  std::vector<std::optional<double>> test_error_se;  ///< its standard error, from the spread over the rows
  Matrix test_y, test_predicted;  ///< rows of the test file × targets, NaN without a value; empty for classes
  std::optional<TruthCurve> truth;  ///< one target only
  std::optional<ShiftStudy> shift;  ///< importance weights were used
};

}  // namespace gnomon
