#include "study_test_rows.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::app {

void check_test_targets(const Table& test, const std::vector<std::string>& targets) {
  for (const auto& target : targets) {
    const Column* column = test.find(target);
    if (!column || column->numeric) continue;
    const auto& text = test.texts[static_cast<std::size_t>(column->index)];
    const Index row = text.first_text_row;
    require(row >= 0, "{}: column '{}' was read as text; a target must be numeric", test.source, target);
    const int code = text.codes[static_cast<std::size_t>(row)];
    fail("{}: '{}' is not a number; correct the cell, or leave it empty", test.place(row, *column),
         shortened(text.levels[static_cast<std::size_t>(code)]));
  }
}

void label_test_rows(const Table& test, const Matrix& test_x, const std::string& target,
                     TrainingData& training) {
  const Column* column = test.find(target);
  if (!column) return;
  std::vector<Index> labelled;
  for (Index i = 0; i < test.rows(); ++i) {
    if (std::isfinite(test.numbers(i, column->index))) labelled.push_back(i);
  }
  if (labelled.empty()) return;
  training.test_x = test_x(labelled, Eigen::all);
  training.test_y = test.numbers(labelled, column->index);
}

void note_unused_columns(const Table& test, const FeaturePlan& plan, const DatasetOptions& columns,
                         std::vector<std::string>& notes) {
  std::vector<std::string> unused;
  for (const auto& name : test.names()) {
    const auto named = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), name) != list.end();
    };
    const bool feature = std::any_of(plan.sources.begin(), plan.sources.end(),
                                     [&](const FeatureSource& source) { return source.column == name; });
    if (!feature && !named(columns.targets) && !named(columns.drop) && name != columns.weight_column &&
        name != columns.group_column)
      unused.push_back(name);
  }
  if (!unused.empty())
    notes.push_back(fmt::format("columns of {} that the model does not use: {}", test.source, join(unused)));
}

namespace {

/// Of the finite ones.
std::optional<MeanError> mean_of(const Vector& errors) {
  double sum = 0, count = 0;
  for (const double e : errors)
    if (std::isfinite(e)) sum += e, ++count;
  if (count == 0) return std::nullopt;
  const double mean = sum / count;
  double squares = 0;
  for (const double e : errors)
    if (std::isfinite(e)) squares += (e - mean) * (e - mean);
  return MeanError{mean, count > 1 ? std::sqrt(squares / (count - 1) / count) : undefined};
}

}  // namespace

Matrix test_targets(const Table& test, const std::vector<std::string>& targets) {
  Matrix y = Matrix::Constant(test.rows(), static_cast<Index>(targets.size()), undefined);
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const Column* column = test.find(targets[t]);
    if (column) y.col(static_cast<Index>(t)) = test.numbers.col(column->index);
  }
  return y;
}

std::vector<std::optional<MeanError>> test_errors(const Matrix& y, const Matrix& predictions,
                                                  const std::vector<std::string>& targets,
                                                  std::vector<std::string>& notes) {
  std::vector<std::optional<MeanError>> errors;
  for (Index t = 0; t < y.cols(); ++t) {
    const Vector squared = (y.col(t) - predictions.col(t)).cwiseAbs2();
    errors.push_back(mean_of(squared));
    const Index without = squared.size() - squared.array().isFinite().count();
    if (errors.back() && without > 0)
      notes.push_back(fmt::format("the test error of '{}' leaves out {} without a value",
                                  targets[static_cast<std::size_t>(t)], counted(without, "test row")));
  }
  return errors;
}

std::optional<MeanError> test_cross_entropy(const Table& test, const Matrix& probabilities,
                                            const ClassTargets& classes, std::vector<std::string>& notes) {
  if (!test.find(classes.column)) return std::nullopt;
  const Table labelled = classes.apply(test);
  const Index first = labelled.find(classes.indicators().front())->index;
  Vector errors = Vector::Constant(test.rows(), undefined);
  Index count = 0, wrong = 0;
  for (Index i = 0; i < test.rows(); ++i) {
    const auto truth = labelled.numbers.row(i).segment(first, probabilities.cols());
    if (truth.hasNaN()) continue;
    Index at = 0, predicted = 0;
    truth.maxCoeff(&at);
    probabilities.row(i).maxCoeff(&predicted);
    errors[i] = -std::log(probabilities(i, at));
    ++count, wrong += at != predicted;
  }
  if (count == 0) return std::nullopt;
  notes.push_back(
      fmt::format("{} of {} labelled test rows are put into another class than their own", wrong, count));
  return mean_of(errors);
}

}  // namespace gnomon::app
