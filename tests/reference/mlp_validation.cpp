#include "mlp_validation.hpp"

#include <lapacke.h>

#include <cmath>

#include "gnomon/core/error.hpp"
#include "learn/mlp/cost.hpp"

namespace gnomon::reference {

MlpCrossValidation mlp_cross_validation(const MlpCost& cost, const std::vector<std::vector<Index>>& folds,
                                        const VectorView& start, const MlpTrainOptions& options) {
  require(folds.size() > 1, "cross-validation of a network needs at least 2 folds, not {}", folds.size());
  MlpCrossValidation out;
  double sum = 0;
  Vector gradient = Vector::Zero(cost.decay().groups());
  bool differentiable = true;
  for (const auto& fold : folds) {
    std::vector<bool> held(std::size_t(cost.rows()), false);
    for (const Index k : fold) {
      require(k >= 0 && k < cost.rows(), "a fold names row {}; the data have {}", k, cost.rows());
      held[std::size_t(k)] = true;
    }
    std::vector<Index> kept;
    for (Index k = 0; k < cost.rows(); ++k)
      if (!held[std::size_t(k)]) kept.push_back(k);
    const MlpCost training = cost.on_rows(kept);
    MlpFit fit = start.size() ? mlp_train_from(training, start, options) : mlp_train(training, options);
    const MlpValidation one = mlp_validation(training, fit.model.w, cost.on_rows(fold), options.dense_limit);
    sum += *one.value;
    if (!fit.converged() && out.status.empty()) out.status = "a fold's training: " + fit.status;
    if (!one.status.empty() && out.status.empty()) out.status = "a fold: " + one.status;
    differentiable = differentiable && one.gradient.size() > 0;
    if (differentiable) gradient += one.gradient;
    out.fits.push_back(std::move(fit));
  }
  const double count = static_cast<double>(folds.size());
  out.value = sum / count;
  if (differentiable) out.gradient = gradient / count;
  return out;
}

std::optional<double> mlp_approximate_loo(const MlpCost& cost, const VectorView& w) {
  const Index p = cost.weights();
  const double n = static_cast<double>(cost.rows());
  require(cost.rows() > 1, "leave-one-out needs at least 2 rows");
  const Matrix h = cost.error_hessian(w, MlpHessian::exact), scores = cost.scores(w);
  const Vector penalty = cost.penalty_gradient(w);
  double sum = 0;
  std::vector<int> pivots(std::size_t(p), 0);
  for (Index k = 0; k < cost.rows(); ++k) {
    const MlpCost one = cost.on_rows({k});
    Matrix reduced = (n * h - one.error_hessian(w, MlpHessian::exact)) / (n - 1);
    cost.add_penalty(reduced);
    Vector step = (penalty + scores.row(k).transpose()) / (n - 1);
    if (LAPACKE_dsysv(LAPACK_COL_MAJOR, 'L', static_cast<int>(p), 1, reduced.data(), static_cast<int>(p),
                      pivots.data(), step.data(), static_cast<int>(p)) != 0)
      return std::nullopt;
    sum += one.error(w + step);
  }
  if (!std::isfinite(sum)) return std::nullopt;
  return sum / n;
}

}  // namespace gnomon::reference
