#include "gnomon/learn/held_out_moments.hpp"

#include <cmath>

#include "../decompose/lapack.hpp"

namespace gnomon {
namespace {

/// yy − 2βᵀxy + βᵀxxβ, undefined where less than 1e-6 of its terms is left.
double squared_errors(const CentredGram& held, Index target, const Vector& beta) {
  const double yy = held.yy[target], cross = beta.dot(held.xy.col(target)), square = beta.dot(held.xx * beta);
  const double sum = yy - 2 * cross + square;
  return sum > 1e-6 * (yy + square) || yy + square == 0 ? sum : undefined;
}

}  // namespace

HeldOutMoments::HeldOutMoments(const MatrixView& features, const MatrixView& y, const VectorView& importance,
                               std::span<const int> fold_of_row, int folds)
    : counted_(features.cols(), y.cols(), folds), weighted_(features.cols(), y.cols(), folds) {
  counted_.add(features, y, Vector(), fold_of_row);
  weighted_.add(features, y, importance, fold_of_row);
}

std::optional<FoldErrors> HeldOutMoments::fold_errors(const GramStatistics& training, Index target,
                                                      std::span<const double> lambdas, bool intercept) const {
  const int folds = training.folds();
  const Index m = static_cast<Index>(lambdas.size());
  FoldErrors errors{Matrix(folds, m), Vector(folds), Matrix(folds, m), 0, "cross products per fold"};
  for (int f = 0; f < folds; ++f) {
    const CentredGram train = training.without(f, intercept);
    const auto eigen = lapack::symmetric_eigen(Matrix(train.xx));
    const Index p = eigen.values.size();
    if (p > 0 && !(eigen.values[p - 1] > well_conditioned_moments * eigen.values[0])) return std::nullopt;
    const CentredGram counted = counted_.held_out(f, train.x_mean, train.y_mean),
                      weighted = weighted_.held_out(f, train.x_mean, train.y_mean);
    errors.weights[f] = static_cast<double>(counted_.rows(f));
    const Vector rotated = eigen.vectors.transpose() * train.xy.col(target);
    for (Index k = 0; k < m; ++k) {
      const Vector beta =
          eigen.vectors *
          (rotated.array() / (eigen.values.array() + lambdas[static_cast<std::size_t>(k)])).matrix();
      errors.sums(f, k) = squared_errors(counted, target, beta);
      errors.importance_sums(f, k) = squared_errors(weighted, target, beta);
      if (std::isnan(errors.sums(f, k)) || std::isnan(errors.importance_sums(f, k))) return std::nullopt;
    }
  }
  return errors;
}

}  // namespace gnomon
