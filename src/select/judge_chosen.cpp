#include "judge_chosen.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

constexpr Index fewest_rows = 8;  // with fewer, a third of them says nothing

/// Squared error of the mean, one unit of each row's count left out, or all of its importance.
double error_of_mean(const Vector& y, const Vector& counts, const Vector& importance) {
  const Vector w = importance.size() ? importance : counts.size() ? counts : Vector::Ones(y.size());
  const double total = w.sum(), mean = w.dot(y) / total;
  double sum = 0;
  for (Index i = 0; i < y.size(); ++i) {
    const double out = importance.size() ? w[i] : std::min(1.0, w[i]);
    if (!(w[i] > 0)) continue;
    if (!(total > out)) return undefined;
    const double e = (y[i] - mean) * total / (total - out);
    sum += w[i] * e * e;
  }
  return sum / total;
}

/// Cross-entropy of the shares of the classes among the other rows, half a row added to each.
double entropy_of_shares(const Matrix& indicator) {
  const Vector count = indicator.colwise().sum().transpose();
  const double n = static_cast<double>(indicator.rows()), classes = static_cast<double>(indicator.cols());
  double sum = 0;
  for (Index c = 0; c < count.size(); ++c)
    sum -= count[c] * std::log((count[c] - 0.5) / (n - 1 + classes / 2));
  return sum / n;
}

/// The error of the constant, and what the numbers are, in words.
void complete_errors(const TrainingData& data, Selection& selection) {
  for (std::size_t t = 0; t < selection.targets.size(); ++t) {
    std::optional<ChosenError>& error = selection.targets[t].error;
    if (!error) continue;
    error->estimates = !error->squared          ? "mean cross-entropy on new data"
                       : data.importance.size() ? "mean squared error at the test inputs, noise included"
                                                : "mean squared error on new data";
    error->baseline = error->squared
                          ? error_of_mean(data.y.col(static_cast<Index>(t)), data.weight, data.importance)
                          : entropy_of_shares(data.y);
  }
}

}  // namespace

bool judges_chosen(const TrainingData& data, const SelectionRequest& request) {
  return request.chosen_error && data.y.rows() >= fewest_rows;
}

void judge_chosen(const TrainingData& data, Selection& selection, const Progress& progress) {
  try {
    judge_by_nested_folds(data, selection, progress);
  } catch (const Error& trouble) {
    for (TargetSelection& target : selection.targets)
      target.warnings.push_back(
          fmt::format("The error of the chosen fit is not known: without a part of the rows the choice "
                      "cannot be made ({}).",
                      trouble.what()));
  }
  complete_errors(data, selection);
}

}  // namespace gnomon
