#include "outside_reach.hpp"

#include <algorithm>
#include <vector>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

constexpr double push = 0.1, too_far = 1.5;
constexpr std::size_t most_asked = 200;

std::vector<Index> rows_of_weight(const TrainingData& data) {
  std::vector<Index> rows;
  for (Index i = 0; i < data.x.rows(); ++i)
    if (data.weight.size() == 0 || data.weight[i] > 0) rows.push_back(i);
  return rows;
}

Eigen::RowVectorXd mean_of(const Matrix& x, const std::vector<Index>& rows) {
  Vector counts = Vector::Zero(x.rows());
  counts(rows).setOnes();
  return counts.transpose() * x / counts.sum();
}

/// Leaves the rows that are farthest from the centre, the farthest first.
void keep_outermost(std::vector<Index>& rows, const Matrix& x, const Eigen::RowVectorXd& centre) {
  if (rows.size() <= most_asked) return;
  Vector distance = Vector::Zero(x.rows());
  for (Index j = 0; j < x.cols(); ++j) distance.array() += (x.col(j).array() - centre[j]).square();
  std::partial_sort(rows.begin(), rows.begin() + most_asked, rows.end(), [&](Index a, Index b) {
    return distance[a] != distance[b] ? distance[a] > distance[b] : a < b;
  });
  rows.resize(most_asked);
}

/// A kernel of two rows may know them by their numbers alone, as one that is given as a matrix does.
bool knows_rows_by_number(const Model& model) {
  const auto terms = model.terms();
  const auto* kernel = terms.empty() ? nullptr : std::get_if<Kernel>(&terms.front()->representation);
  const auto* own = kernel ? std::get_if<OwnKernel>(kernel) : nullptr;
  return own && own->argument() == OwnKernel::Argument::rows;
}

}  // namespace

Vector outside_reach(const Model& model, const TrainingData& data) {
  std::vector<Index> rows = rows_of_weight(data);
  const Matrix y = data.y(rows, Eigen::all);
  const Eigen::RowVectorXd centre = mean_of(data.x, rows);
  keep_outermost(rows, data.x, centre);
  const Matrix inside = data.x(rows, Eigen::all);
  const Matrix outside = inside + push * (inside.rowwise() - centre);
  const Vector moved =
      (model.predict(outside) - model.predict(inside)).cwiseAbs().colwise().maxCoeff().transpose();
  const Vector range = (y.colwise().maxCoeff() - y.colwise().minCoeff()).transpose();
  return (range.array() > 0).select(moved.array() / range.array(), 0.0);
}

void warn_of_reach(const TrainingData& data, Selection& selection) {
  if (data.blocks) return;  // a linear basis: a tenth further out it moves by a tenth of what it spans
  if (knows_rows_by_number(selection.model)) return;
  const Vector reach = outside_reach(selection.model, data);
  for (std::size_t t = 0; t < selection.targets.size(); ++t) {
    const double times = reach[static_cast<Index>(t)];
    if (times <= too_far) continue;
    selection.targets[t].warnings.push_back(fmt::format(
        "The fit runs wild just outside the data: a tenth further from the middle than the training rows "
        "its predictions move by up to {} times the range of '{}'. The error above is that of rows "
        "among the training rows; do not predict others by this fit, or regularize more.",
        pretty(times, 2), selection.targets[t].target));
  }
}

}  // namespace gnomon
