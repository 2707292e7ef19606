#include "judge_chosen.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gnomon/core/error.hpp"
#include "repeated_choice.hpp"
#include "training_rows.hpp"

namespace gnomon {
namespace {

constexpr Index fewest_rows = 8;  // with fewer, a third of them says nothing

/// Squared error of the mean of the other rows, or of those of other groups.
double error_of_mean(const Vector& y, const Vector& weight, const RowGroups& groups) {
  const Vector w = weight.size() ? weight : Vector::Ones(y.size());
  const double total = w.sum();
  const Vector centred = y.array() - w.dot(y) / total;
  Vector group_weight = Vector::Zero(groups.count()), group_sum = group_weight;
  for (Index i = 0; i < y.size() && !groups.empty(); ++i) {
    const int own = groups.of_row[static_cast<std::size_t>(i)];
    group_weight[own] += w[i];
    group_sum[own] += w[i] * centred[i];
  }
  double sum = 0;
  for (Index i = 0; i < y.size(); ++i) {
    if (!(w[i] > 0)) continue;
    const int own = groups.empty() ? -1 : groups.of_row[static_cast<std::size_t>(i)];
    const double out = own < 0 ? w[i] : group_weight[own],
                 out_sum = own < 0 ? w[i] * centred[i] : group_sum[own];
    if (!(total > out)) return undefined;
    const double e = centred[i] + out_sum / (total - out);
    sum += w[i] * e * e;
  }
  return sum / total;
}

RowGroups single_rows(Index n) {
  RowGroups alone;
  alone.of_row.resize(static_cast<std::size_t>(n));
  std::iota(alone.of_row.begin(), alone.of_row.end(), 0);
  return alone;
}

/// Cross-entropy of the shares of the classes among the other rows, or those of other groups, half a row added to each.
double entropy_of_shares(const Matrix& indicator, const RowGroups& groups) {
  const Index n = indicator.rows();
  const RowGroups apart = groups.empty() ? single_rows(n) : groups;
  Matrix out = Matrix::Zero(apart.count(), indicator.cols());
  for (Index i = 0; i < n; ++i) out.row(apart.of_row[static_cast<std::size_t>(i)]) += indicator.row(i);
  const Eigen::RowVectorXd count = indicator.colwise().sum();
  double sum = 0;
  for (Index g = 0; g < out.rows(); ++g) {
    const Eigen::RowVectorXd others = (count - out.row(g)).array() + 0.5;
    sum -= out.row(g).dot((others / others.sum()).array().log().matrix());
  }
  return sum / static_cast<double>(n);
}

/// The error of the constant, and what the numbers are, in words.
void complete_errors(const TrainingData& data, Selection& selection) {
  for (std::size_t t = 0; t < selection.targets.size(); ++t) {
    std::optional<ChosenError>& error = selection.targets[t].error;
    if (!error) continue;
    error->estimates = !error->squared          ? "mean cross-entropy on new data"
                       : data.importance.size() ? "mean squared error at the test inputs, noise included"
                                                : "mean squared error on new data";
    if (!drawn_together(data).empty()) error->estimates += ", of groups that the fit does not know";
    error->baseline =
        error->squared ? error_of_mean(data.y.col(static_cast<Index>(t)), judging_weight(data), data.groups)
                       : entropy_of_shares(data.y, data.groups);
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
