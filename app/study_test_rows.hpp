#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gnomon/data/class_targets.hpp"
#include "gnomon/data/dataset.hpp"
#include "gnomon/select/request.hpp"

namespace gnomon::app {

/// Fails where a test row has a text for a target: it would be left out without a word.
void check_test_targets(const Table& test, const std::vector<std::string>& targets);

/// Test rows with a value of the target: the true error of the whole path is reported on them.
void label_test_rows(const Table& test, const Matrix& test_x, const std::string& target,
                     TrainingData& training);

/// Columns of TEST that play no part: said, since a misspelt name looks the same.
void note_unused_columns(const Table& test, const FeaturePlan& plan, const DatasetOptions& columns,
                         std::vector<std::string>& notes);

/// The mean of the errors of rows, and its standard error from their spread; NaN for one row.
struct MeanError {
  double value, standard_error;
};

/// The targets of the test rows, a column each; NaN without a value.
Matrix test_targets(const Table& test, const std::vector<std::string>& targets);

/// Mean squared error on labelled test rows, per target; nothing where there are none. Notes say how many rows are left out.
std::vector<std::optional<MeanError>> test_errors(const Matrix& y, const Matrix& predictions,
                                                  const std::vector<std::string>& targets,
                                                  std::vector<std::string>& notes);

/// Mean of −log p(true class) on labelled test rows; nothing without any.
std::optional<MeanError> test_cross_entropy(const Table& test, const Matrix& probabilities,
                                            const ClassTargets& classes, std::vector<std::string>& notes);

}  // namespace gnomon::app
