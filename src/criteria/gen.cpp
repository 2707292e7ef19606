#include "gnomon/criteria/gen.hpp"

#include <cmath>

#include "gnomon/adaptive/gen.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/criteria/fper.hpp"
#include "huber_curvature.hpp"

namespace gnomon {
namespace {

bool is_tikhonov(const Filter& filter) { return filter.closed_form_deletion && filter.shift != Shift::none; }

bool has_counts(const Learner& learner) {
  const auto counts = [](const Vector& w) { return w.size() > 0 && (w.array() != 1).any(); };
  if (const Smoother* smoother = learner.linear())
    return counts(smoother->decomposition().weighted_rows().root_weight);
  return counts(learner.solved()->weight());
}

/// Per λ, Σ_k w e²(1 + 2H_kk) over the copies of every row: a copy has the leverage H̃_kk/w.
Vector squares_with_leverage(const Smoother& smoother, const CriterionContext& c) {
  const Decomposition& decomposition = smoother.decomposition();
  const Vector& root = decomposition.weighted_rows().root_weight;
  Vector sums = Vector::Zero(static_cast<Index>(c.lambdas.size()));
  decomposition.visit_rows(
      smoother.filter(), c.lambdas, c.target,
      [&](Index first, const Matrix& residual, const Matrix& complement) {
        const auto w = root.segment(first, residual.rows()).array().square();
        for (Index k = 0; k < sums.size(); ++k)
          sums[k] += (residual.col(k).array().square() * (1 + 2 * (1 - complement.col(k).array()) / w)).sum();
      });
  return sums;
}

/// eᵀHe = Σ g²h z²; the constant's direction has g = 0.
double squares_through_hat(const Smoother& smoother, double lambda, Index target) {
  const Spectrum& s = smoother.spectrum();
  double sum = 0;
  for (Index i = 0; i < s.values.size(); ++i) {
    const FilterValue f = filter_at(s, smoother.filter(), s.values[i], lambda);
    sum += f.complement * f.complement * s.values[i] * f.gain * s.squared(i, target);
  }
  return sum;
}

CriterionCurve of_smoother(const Smoother& smoother, const CriterionContext& c, int lags) {
  const Index m = static_cast<Index>(c.lambdas.size());
  const double n = c.count(), a = adaptive::lag_count({.lags = lags}, c.learner.rows());
  CriterionCurve curve{squares_with_leverage(smoother, c) / n, {}, {}};
  if (lags > 0)
    curve.value +=
        4 / n * smoother.decomposition().lagged_products(smoother.filter(), c.lambdas, c.target, lags);
  for (Index k = 0; k < m; ++k) {
    const std::size_t i = static_cast<std::size_t>(k);
    curve.value[k] -= 2 * a / (n * n) * squares_through_hat(smoother, c.lambdas[i], c.target);
    if (!countable(c.sums[i], n) || !std::isfinite(curve.value[k])) curve.value[k] = undefined;
  }
  return curve;
}

}  // namespace

std::string needs_smooth_cost(const Learner& learner, const Metric& metric) {
  if (const Smoother* smoother = learner.linear())
    return is_tikhonov(smoother->filter()) ? ""
                                           : "it is made from the Hessian of a penalised cost, and this fit "
                                             "minimises none; use gcv or cv";
  if (learner.solved() && learner.solved()->importance().size())
    return needs_degrees_of_freedom(learner, metric);
  return huber_solver(learner) ? ""
                               : "it is made from the gradient and Hessian of the cost, which ridge, "
                                 "kernel-ridge and huber have; use cv";
}

std::string no_lags(const Learner& learner, int lags) {
  if (lags == 0) return "";
  if (lags >= learner.rows())
    return fmt::format("a dependence over {} rows needs more than {} rows; there are {}", lags, lags,
                       learner.rows());
  return has_counts(learner) ? "weights repeat rows, and then no row has a neighbour so many rows away; use "
                               "gen without a number"
                             : "";
}

CriterionCurve generalization_error(const CriterionContext& c, int lags) {
  require(lags >= 0, "gen: dependence length {}; it must be 0 or more", lags);
  const std::string why = no_lags(c.learner, lags);
  require(why.empty(), "gen:{}: {}", lags, why);
  if (const Smoother* smoother = c.learner.linear()) return of_smoother(*smoother, c, lags);
  const double n = c.count(), a = adaptive::lag_count({.lags = lags}, c.learner.rows());
  return along_huber(c, lags, [&](const HuberPath::Parts& p, const PathFit&) {
    return p.loss / n + 2 / n * (p.score_products - a / n * p.mean_score);
  });
}

CriterionCurve regularized_final_prediction_error(const CriterionContext& c) {
  if (c.learner.linear())
    return at_each_lambda(c, [](const SpectralSums& s, double, double n) {
      return Estimate{s.z2g2 / n * (2 * s.df + s.g2) / s.g2};
    });
  const double n = c.count();
  return along_huber(c, 0, [&](const HuberPath::Parts& p, const PathFit& fit) {
    return fit.rss / n * (2 * p.m1 + p.left_squared) / p.left_squared;
  });
}

}  // namespace gnomon
