// Residuals at rows that a fit has not seen, for learners that are solved anew for every y.

#include <algorithm>
#include <limits>

#include "decompose/decomposition.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/learn/path_learner.hpp"

namespace gnomon {
namespace {

constexpr Index most_kept_residuals = 20'000'000;  // of all folds and λ

}  // namespace

UnseenResiduals PathLearner::unseen_residuals(const Points& points, Index target, const Folds& folds,
                                              bool alone, const Progress& progress) const {
  const auto lambdas = lambdas_of(points);
  if (alone && has_leverages(lambdas))
    return {left_out_residuals(lambdas, target, Deletion::whole_row), "leave-one-out"};
  std::string by = fmt::format("{} folds", folds.count);
  if (is_validated(lambdas, target, folds) && validated_->errors.residual.size())
    return {validated_->errors.residual, std::move(by)};
  return {refit_without_folds(lambdas, target, folds, progress).residual, std::move(by)};
}

bool PathLearner::has_leverages(std::span<const double> lambdas) const {
  return !lambdas.empty() && solver_->leverages(lambdas[0]).size() > 0;
}

/// (r + v)/(1 − h) − v at every row and λ.
Matrix PathLearner::left_out_residuals(std::span<const double> lambdas, Index target,
                                       Deletion deletion) const {
  const Index m = static_cast<Index>(lambdas.size());
  const auto& fits = path(lambdas, target);
  const Vector v = solver_->target_shift();
  const Vector shift = v.size() ? spread_over_rows(v) : Vector::Zero(rows());
  // A row that alone decides its fitted value leaves nothing to judge it by.
  const double nothing = 1e2 * static_cast<double>(rows()) * std::numeric_limits<double>::epsilon();
  Matrix out(rows(), m);
  for (Index k = 0; k < m; ++k) {
    const PathFit& fit = fits[static_cast<std::size_t>(k)];
    Vector h = spread_over_rows(solver_->leverages(fit.lambda));
    if (weight_.size() && deletion == Deletion::unit_of_weight)
      h.array() *= weight_.array().min(1) / weight_.array();
    const auto kept = (1 - h.array() > nothing).select(1 - h.array(), undefined);
    out.col(k) = ((target_residual(fit, target) + shift).array() / kept).matrix() - shift;
  }
  return out;
}

FoldErrors PathLearner::refit_without_folds(std::span<const double> lambdas, Index target, const Folds& folds,
                                            const Progress& progress) const {
  const Vector y = y_.col(target);
  const Index m = static_cast<Index>(lambdas.size());
  FoldErrors errors;
  errors.sums.resize(folds.count, m);
  errors.weights.resize(folds.count);
  if (importance().size()) {
    errors.importance_sums.resize(folds.count, m);
    errors.importance.resize(folds.count);
  }
  errors.method = "refits without each fold";
  const auto held_out = rows_by_fold(folds);
  if (rows() * m <= most_kept_residuals) errors.residual = Matrix::Constant(rows(), m, undefined);
  const Vector& fitting = fit_weight();
  const auto one_fold = [&](Index f) {
    const auto& held = held_out[static_cast<std::size_t>(f)];
    std::vector<Index> train;
    for (Index i = 0; i < rows(); ++i) {
      const bool seen = fitting.size() == 0 || fitting[i] > 0;
      if (seen && folds.of_row[static_cast<std::size_t>(i)] != f) train.push_back(i);
    }
    const Vector count =
        weight_.size() ? Vector(weight_(held)) : Vector::Ones(static_cast<Index>(held.size()));
    errors.weights[f] = count.sum();
    if (importance().size()) errors.importance[f] = importance()(held).sum();
    if (train.empty()) {
      errors.sums.row(f).setConstant(undefined);
      if (importance().size()) errors.importance_sums.row(f).setConstant(undefined);
      return;
    }
    const auto fits = options_.solver(design_on(train), nullptr)->path(Vector(y(train)), lambdas);
    for (Index k = 0; k < m; ++k) {
      const Vector e = y(held) - predict_held_out(fits[static_cast<std::size_t>(k)], held, train);
      errors.sums(f, k) = count.dot(e.cwiseAbs2());
      if (importance().size()) errors.importance_sums(f, k) = importance()(held).dot(e.cwiseAbs2());
      if (errors.residual.size()) errors.residual(held, k) = e;
    }
  };
  const Index batch = std::max(1, threads());
  for (Index first = 0; first < folds.count; first += batch) {
    progress("cross-validating", static_cast<double>(first) / folds.count);
    parallel_for(std::min<Index>(batch, folds.count - first), [&](Index i) { one_fold(first + i); });
  }
  return errors;
}

}  // namespace gnomon
