// What a learner that is solved anew for every y tells about its fits.

#include <cmath>
#include <memory>

#include "gnomon/core/error.hpp"
#include "gnomon/learn/path_learner.hpp"
#include "sic_frame.hpp"

namespace gnomon {
namespace {

constexpr const char* at_other_inputs =
    "it judges the error at inputs like the training ones, not at the test inputs; use sic, iwcv, iwaic or "
    "loo";

}  // namespace

std::string PathLearner::lacks(Account account, const Metric& metric) const {
  const bool shifted = importance().size() > 0;
  switch (account) {
    case Account::counts:
      return shifted ? at_other_inputs : no_divergence();
    case Account::scores:
      if (shifted)
        return solver_->dependence() == Dependence::affine ? ""
                                                           : "it is made for weighted least squares: iwls, "
                                                             "ridge, kernel-ridge and additive; use iwcv";
      return solver_->has_curvature() ? ""
                                      : "it is made from the gradient and Hessian of the cost, which ridge, "
                                        "kernel-ridge and huber have; use cv";
    case Account::left_out:
      return rows() < 2 ? "leaving out the only row leaves nothing to learn from" : no_leave_one_out();
    case Account::held_out:
      if (!has_inputs()) return "a black box cannot be refitted on other rows; use basic or sure";
      return rows() < 2 ? "cross-validation needs two rows" : "";
    case Account::evidence:
      if (!solver_->has_curvature()) return "its fit is not the posterior mean of a Gaussian model";
      return shifted ? at_other_inputs : "";
    case Account::resampled:
      return "";
    case Account::sic:
      break;
  }
  if (metric.kind == Metric::Kind::function_space)
    return is_kernel() ? "the function-space metric is made for ridge penalties; use `metric` train"
                       : "the function-space metric belongs to kernels; use `metric` train, test or a CSV of "
                         "inputs";
  if (metric.kind != Metric::Kind::points) return "";
  if (is_kernel())
    return "least squares on a kernel matrix is no usable reference away from the training inputs; use "
           "`metric` train or a `basis`";
  return has_inputs() ? "" : "a black box is known at the training rows only; use `metric` train";
}

std::vector<CostCurvature> PathLearner::curvatures(std::span<const double> lambdas, Index target,
                                                   Index lags) const {
  std::vector<CostCurvature> out;
  for (const PathFit& fit : path(lambdas, target))
    out.push_back(solver_->curvature(fit, target_residual(fit, target), lags));
  return out;
}

std::vector<Counts> PathLearner::counts(const Points& points, Index target, bool squares, bool) const {
  const auto lambdas = lambdas_of(points);
  const auto& fits = path(lambdas, target);
  std::vector<Counts> out(fits.size());
  if (squares && solver_->has_curvature()) {
    const auto curvature = curvatures(lambdas, target, 0);
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[k].n = count(), out[k].rss = fits[k].rss, out[k].df = curvature[k].m1;
      out[k].left = count() - curvature[k].m1;
      out[k].left_squared = curvature[k].left_squared;
    }
    return out;
  }
  const Vector& df = degrees_of_freedom(lambdas, target);
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k].n = count(), out[k].rss = fits[k].rss;
    out[k].df = df[static_cast<Index>(k)];
    out[k].left = count() - out[k].df;
  }
  return out;
}

std::vector<Scores> PathLearner::scores(const Points& points, Index target, Index lags, bool) const {
  std::vector<Scores> out;
  if (is_shifted()) {
    for (const PathFit& fit : path(lambdas_of(points), target)) out.push_back(importance_scores(fit, target));
    return out;
  }
  for (const CostCurvature& c : curvatures(lambdas_of(points), target, lags)) {
    Scores s;
    s.n = s.observations = count();
    s.df = c.m1;
    s.loss = c.loss, s.products = c.score_products, s.stationarity = c.mean_score;
    out.push_back(std::move(s));
  }
  return out;
}

/// Values of the rows in use as values of all rows, 0 for the others.
Vector PathLearner::spread_over_rows(const Vector& of_used) const {
  if (used_.empty()) return of_used;
  Vector all = Vector::Zero(rows());
  all(used_) = of_used;
  return all;
}

Scores PathLearner::importance_scores(const PathFit& fit, Index target) const {
  const Vector e = target_residual(fit, target), weighted = importance().cwiseProduct(e);
  const Vector h = spread_over_rows(solver_->leverages(fit.lambda)), shift = solver_->target_shift();
  const Vector of_fit = shift.size() ? Vector(e + spread_over_rows(shift)) : e;
  Scores s;
  s.n = importance().sum();
  s.observations = count(), s.df = fit.df;
  s.loss = weighted.dot(e);
  s.products = weighted.dot(h.cwiseProduct(of_fit));
  return s;
}

std::vector<LeftOut> PathLearner::left_out(const Points& points, Index target, bool,
                                           const Progress& progress) const {
  return by_point(leave_one_out(lambdas_of(points), target, progress), count());
}

std::vector<HeldOut> PathLearner::held_out(const Points& points, Index target, const Folds& folds, bool,
                                           const Progress& progress) const {
  return by_point(fold_errors(lambdas_of(points), target, folds, progress));
}

std::vector<EvidenceParts> PathLearner::evidence(const Points& points, Index target, bool) const {
  std::vector<EvidenceParts> out;
  for (const CostCurvature& c : curvatures(lambdas_of(points), target, 0)) {
    EvidenceParts e;
    e.n = count(), e.fixed = intercept() ? 1 : 0;
    e.quadratic = c.loss + c.penalty;
    e.log_determinant = c.log_det_ratio;
    e.turn = solver_->loss_turn();
    out.push_back(std::move(e));
  }
  return out;
}

SicAccount PathLearner::sic(const Points& points, Index target, const SicQuestion& question, bool) const {
  const auto lambdas = lambdas_of(points);
  if (question.bootstrap || solver_->dependence() == Dependence::discontinuous)
    return sic_by_bootstrap(lambdas, target, question);
  const SicFrame frame(*this, target, question.metric);
  const Vector& df = degrees_of_freedom(lambdas, target);
  SicAccount out;
  out.covariance = divergence_name();
  out.by_divergence = !exact_divergence() || solver_->dependence() != Dependence::affine;
  const auto& fits = path(lambdas, target);
  for (std::size_t k = 0; k < fits.size(); ++k) {
    SicParts p;
    p.distance = frame.distance(fits[k]);
    p.divergence = frame.divergence(fits[k], df[static_cast<Index>(k)]);
    if (const auto form = frame.quadratic_form(fits[k])) {
      p.squares = form->product(*form), p.squared_signal = form->half_gradient.squaredNorm();
      p.spread = form->spread;
    }
    out.parts.push_back(std::move(p));
  }
  return out;
}

SicAccount PathLearner::sic_by_bootstrap(std::span<const double> lambdas, Index target,
                                         const SicQuestion& question) const {
  const SicFrame frame(*this, target, question.metric);
  const auto& fits = path(lambdas, target);
  const Vector& df = degrees_of_freedom(lambdas, target);
  const Vector y = this->target(target);
  BootstrapPath problem{.start =
                            [&] {
                              const PathFit* near = &fits.back();
                              auto last = std::make_shared<PathFit>();
                              return
                                  [this, &fits, near, last](std::size_t place, const Vector& other) mutable {
                                    *last = refit(other, fits[place].lambda, *near);
                                    near = last.get();
                                    return parameters_of(*last);
                                  };
                            },
                        .pairing = frame.pairing(),
                        .fitted = {},
                        .residual = {},
                        .weight = weight(),
                        .intercept = frame.without_constant()};
  for (std::size_t k = 0; k < fits.size(); ++k) {
    problem.fitted.push_back(fitted(fits[k]));
    problem.residual.push_back(treated_residuals(y - problem.fitted.back(), weight(),
                                                 df[static_cast<Index>(k)], question.resampling));
  }
  const Vector covariance = bootstrap_covariance(problem, random_resampling(question.seed, weight()),
                                                 question.resampling.replications, question.progress);
  SicAccount out;
  out.covariance = fmt::format("residual bootstrap, {} replications", question.resampling.replications);
  for (std::size_t k = 0; k < fits.size(); ++k) {
    SicParts p;
    p.distance = frame.distance(fits[k]);
    p.covariance = covariance[static_cast<Index>(k)];
    out.parts.push_back(std::move(p));
  }
  return out;
}

}  // namespace gnomon
