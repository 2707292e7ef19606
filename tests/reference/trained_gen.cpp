#include "trained_gen.hpp"

#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::reference {
namespace {

Matrix centred(Matrix rows) {
  rows.rowwise() -= rows.colwise().mean();
  return rows;
}

void check(const TrainedModel& model, const GenOptions& options) {
  require(options.lags >= 0 && options.lags < model.samples,
          "gen: dependence length {} for {} samples; it must be at least 0 and below the number of samples",
          options.lags, model.samples);
  require(model.scores.rows() == model.samples && model.scores.cols() == model.weights.size(),
          "gen: scores are {} x {}, expected one row per sample and one column per weight",
          model.scores.rows(), model.scores.cols());
}

}  // namespace

GenEstimate gen(const TrainedModel& model, const GroupedPenalty& penalty, const VectorView& kappa,
                const GenOptions& options) {
  check(model, options);
  const Curvature curvature(model, penalty, kappa);
  const double n = static_cast<double>(model.samples);
  const bool independent = options.lags == 0;
  const Vector c = lag_weights(options, model.samples);
  const Matrix& inverse = curvature.inverse;
  const Vector &u = curvature.shrinkage, &slope = curvature.penalty_gradient;

  GenEstimate e;
  e.lag_count = lag_count(options, model.samples);
  const double a = e.lag_count / n;
  const Matrix raw = lapack::product(model.scores, true, lag_filtered(model.scores, c), false, 1 / n);
  e.m_eff = inverse.cwiseProduct(raw).sum();
  e.penalty_term = a * slope.dot(u);
  e.gamma = inverse.cwiseProduct(model.hessian).sum();
  const Matrix scores = independent ? centred(model.scores) : model.scores;
  const Matrix filtered = lag_filtered(scores, c);
  const Matrix l = independent ? lapack::product(scores, true, filtered, false, 1 / n) : raw;
  e.value = model.training_error + inverse.cwiseProduct(l).sum() / n - (independent ? 0 : e.penalty_term);
  if (e.gamma > 0.8 * static_cast<double>(model.observations)) {
    e.overfitted = true;
    e.warning = fmt::format(
        "effective parameters {:.4g} exceed 0.8 of the {} observations: GEN tends to 0 with the training "
        "error; use cv, "
        "loo, gcv or evidence",
        e.gamma, model.observations);
  }
  if (!options.gradient) return e;

  require(static_cast<bool>(model.score_derivative), "gen: the gradient needs the derivative of the scores");
  const Matrix solved = lapack::product(filtered, false, inverse, false);  // rows J⁻¹ s̃_k
  const auto sandwich = [&](const Matrix& m) {
    return lapack::product(lapack::product(inverse, false, m, false), false, inverse, false);
  };
  const Matrix w = sandwich(l), w_raw = independent ? sandwich(raw) : w;
  const Vector weights_product = 2 * penalty.pairs(u, model.weights);  // R'ᵀJ⁻¹ P_g ŵ·2 = u'r_g'
  const Vector curl = 2 * penalty.pairs(u, u);                         // u'2P_g u
  const Vector trace_raw = 2 * penalty.traces(w_raw), trace = 2 * penalty.traces(w);
  const Vector unit = slope_unit(options.slopes_by, kappa);
  e.gradient_eq14 = unit.cwiseProduct((1 - 2 * a) * weights_product - trace_raw / n + a * curl);
  e.gradient.resize(kappa.size());
  for (Index g = 0; g < kappa.size(); ++g) {
    const Vector v = curvature.weight_derivatives.col(g);
    const Matrix ds = independent ? centred(model.score_derivative(v)) : model.score_derivative(v);
    double derivative = -slope.dot(v) + (2 / n * ds.cwiseProduct(solved).sum() - trace[g]) / n;
    double bent = curl[g];
    if (model.hessian_derivative) {
      const Matrix dh = model.hessian_derivative(v);
      derivative -= dh.cwiseProduct(w).sum() / n;
      bent += u.dot(dh * u);
    }
    if (!independent) {
      const double slope_change = weights_product[g] + 2 * u.dot(penalty.weighted(kappa, v));
      derivative -= a * (2 * slope_change - bent);
    }
    e.gradient[g] = unit[g] * derivative;
  }
  return e;
}

}  // namespace gnomon::reference
