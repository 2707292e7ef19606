#include "held_out_moments.hpp"

#include <algorithm>
#include <cmath>

#include "decompose/lapack.hpp"
#include "flattening_moments.hpp"

namespace gnomon {

double squared_errors(const CentredGram& moments, Index target, const Vector& beta) {
  const double yy = moments.yy[target], cross = beta.dot(moments.xy.col(target)),
               square = beta.dot(moments.xx * beta);
  const double sum = yy - 2 * cross + square;
  return sum > 1e-6 * (yy + square) || yy + square == 0 ? sum : undefined;
}

HeldOutMoments::HeldOutMoments(const MatrixView& features, const MatrixView& y, const VectorView& importance,
                               std::span<const int> fold_of_row, int folds,
                               const std::vector<double>& exponents, bool paired)
    : importance_(importance), exponents_{0, 1} {
  for (const double l : exponents) {
    if (l != 0 && l != 1) exponents_.push_back(l);
  }
  statistics_ = flattening_moments(features, y, importance, exponents_, fold_of_row, folds);
  if (!paired) return;
  std::vector<double> raised = exponents_;
  for (double& l : raised) ++l;
  const std::vector<int> one_fold(fold_of_row.size(), 0);
  paired_ = flattening_moments(features, y, importance, raised, one_fold, 1);
}

const GramStatistics* HeldOutMoments::find(const std::vector<GramStatistics>& among, double exponent) const {
  const auto at = std::find(exponents_.begin(), exponents_.end(), exponent);
  if (among.empty() || at == exponents_.end()) return nullptr;
  const GramStatistics& found = among[static_cast<std::size_t>(at - exponents_.begin())];
  const CentredGram total = found.total(false);
  return total.xx.allFinite() && total.xy.allFinite() && total.yy.allFinite() ? &found : nullptr;
}

std::optional<FoldErrors> HeldOutMoments::fold_errors(const GramStatistics& training, Index target,
                                                      std::span<const double> lambdas, bool intercept) const {
  const int folds = training.folds();
  const Index m = static_cast<Index>(lambdas.size());
  FoldErrors errors{Matrix(folds, m),          Vector(folds), Matrix(folds, m), 0,
                    "cross products per fold", Vector(folds)};
  for (int f = 0; f < folds; ++f) {
    const CentredGram train = training.without(f, intercept);
    const auto eigen = lapack::symmetric_eigen(Matrix(train.xx));
    const Index p = eigen.values.size();
    if (p > 0 && !(eigen.values[p - 1] > well_conditioned_moments * eigen.values[0])) return std::nullopt;
    const CentredGram counted = statistics_[0].held_out(f, train.x_mean, train.y_mean),
                      weighted = statistics_[1].held_out(f, train.x_mean, train.y_mean);
    errors.weights[f] = static_cast<double>(statistics_[0].rows(f));
    errors.importance[f] = weighted.weight;
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
