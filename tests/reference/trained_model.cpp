#include "trained_model.hpp"

#include "decompose/lapack.hpp"
#include "decompose/positive_definite.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::reference {
namespace {

PositiveDefinite cost_hessian(const Matrix& h, const GroupedPenalty& penalty, const VectorView& kappa) {
  Matrix j = h;
  penalty.add_to(j, kappa, 2);
  auto factor = PositiveDefinite::factorise(std::move(j));
  require(factor.has_value(),
          "estimate: the Hessian of the training cost is not positive definite; train to a minimum (not a "
          "saddle) or "
          "raise the regularization");
  return *factor;
}

}  // namespace

Curvature::Curvature(const TrainedModel& model, const GroupedPenalty& penalty, const VectorView& kappa) {
  check_kappa(penalty, kappa);
  const Index p = model.weights.size();
  require(penalty.weights() == p && model.hessian.rows() == p && model.hessian.cols() == p,
          "estimate: {} weights, a penalty on {} and a Hessian of {} x {}; they must agree", p,
          penalty.weights(), model.hessian.rows(), model.hessian.cols());
  const PositiveDefinite j = cost_hessian(model.hessian, penalty, kappa);
  inverse = j.inverse();
  log_determinant = j.log_determinant();
  smallest_pivot = j.smallest_pivot();
  penalty_gradient = 2 * penalty.weighted(kappa, model.weights);
  shrinkage = j.solve(penalty_gradient);
  Matrix slopes(p, penalty.groups());
  for (Index g = 0; g < penalty.groups(); ++g) slopes.col(g) = -2 * penalty.apply(g, model.weights);
  weight_derivatives = (model.exact_hessian.size() ? cost_hessian(model.exact_hessian, penalty, kappa) : j)
                           .solve(std::move(slopes));
}

// With Y = HJ⁻¹ and I − Y = 2DJ⁻¹:  dY = ((I − Y) dH − 2κ_g Y P_g) J⁻¹,  dm₁ = tr dY,  dm₂ = 2 tr(Y dY).
CountedError counted_error(const TrainedModel& model, const GroupedPenalty& penalty, const VectorView& kappa,
                           const Curvature& curvature, bool gradient) {
  CountedError c;
  const Index p = model.weights.size();
  c.samples = static_cast<double>(model.samples);
  c.observations = static_cast<double>(model.observations);
  c.weights = static_cast<double>(p);
  c.training_error = model.training_error;
  const Matrix& inverse = curvature.inverse;
  const Matrix y = lapack::product(model.hessian, false, inverse, false);
  c.m1 = y.trace();
  c.m2 = y.cwiseProduct(y.transpose()).sum();
  Matrix d = Matrix::Zero(p, p);
  penalty.add_to(d, kappa, 2);
  const Matrix rest = lapack::product(d, false, inverse, false);
  c.left = c.observations - c.weights + rest.trace();
  c.left_squared = c.observations - c.weights + rest.cwiseProduct(rest.transpose()).sum();
  // Differences where there are fewer observations than weights: to rounding nothing is left.
  const double rounding = 1e-14 * c.observations;
  if (!(c.left > rounding)) c.left = 0;
  if (!(c.left_squared > rounding)) c.left_squared = 0;
  if (!gradient) return c;
  const Matrix w1 = lapack::product(inverse, false, y, false), w2 = lapack::product(w1, false, y, false);
  c.d_training_error =
      -kappa.cwiseProduct(curvature.weight_derivatives.transpose() * curvature.penalty_gradient);
  c.d_m1 = -2 * kappa.cwiseProduct(penalty.traces(0.5 * (w1 + w1.transpose())));
  c.d_m2 = -4 * kappa.cwiseProduct(penalty.traces(0.5 * (w2 + w2.transpose())));
  if (model.hessian_derivative) {
    const Matrix a1 = lapack::product(inverse, false, rest, false);  // J⁻¹(I − Y)
    const Matrix a2 = lapack::product(w1, false, rest, false);       // J⁻¹Y(I − Y)
    for (Index g = 0; g < penalty.groups(); ++g) {
      const Matrix dh = model.hessian_derivative(curvature.weight_derivatives.col(g));
      c.d_m1[g] += kappa[g] * dh.cwiseProduct(a1).sum();
      c.d_m2[g] += 2 * kappa[g] * dh.cwiseProduct(a2).sum();
    }
  }
  c.d_left_squared = c.d_m2 - 2 * c.d_m1;
  return c;
}

DecayEvidence evidence_parts(const TrainedModel& model, const GroupedPenalty& penalty,
                             const VectorView& kappa, const Curvature& curvature, bool third_derivative) {
  require(penalty.is_decay(),
          "evidence: the prior of overlapping quadratic penalties is not supported; use decays");
  DecayEvidence e;
  e.samples = static_cast<double>(model.samples);
  e.observations = static_cast<double>(model.observations);
  e.weights = static_cast<double>(model.weights.size());
  e.unpenalised = static_cast<double>(penalty.unpenalised());
  e.training_error = model.training_error;
  e.squared_norm = penalty.values(model.weights);
  e.cost = e.training_error + kappa.dot(e.squared_norm);
  e.log_determinant = curvature.log_determinant;
  e.kappa = kappa;
  e.group_size = penalty.sizes();
  e.gamma = penalty.row_pairs(curvature.inverse, model.hessian);
  e.gamma_total = curvature.inverse.cwiseProduct(model.hessian).sum();
  e.left = e.observations - e.weights + 2 * kappa.dot(penalty.traces(curvature.inverse));
  e.likelihood_loss = model.likelihood_loss;
  if (third_derivative && model.hessian_derivative) {
    e.third.resize(kappa.size());
    for (Index g = 0; g < kappa.size(); ++g) {
      const Matrix dh = model.hessian_derivative(curvature.weight_derivatives.col(g));
      e.third[g] = 0.5 * kappa[g] * dh.cwiseProduct(curvature.inverse).sum();
    }
  }
  return e;
}

TrainedModel trained_model(const GroupedRidge& ridge, const VectorView& kappa) {
  const Index p = ridge.inputs(), q = ridge.outputs(), n = ridge.samples();
  const RidgeFit fit = ridge.fit(kappa);
  TrainedModel model;
  model.samples = n;
  model.observations = n * q;
  model.training_error = fit.training_error;
  model.weights = fit.weights;
  model.hessian = Matrix::Zero(p * q, p * q);
  model.scores.resize(n, p * q);
  const Matrix h = lapack::product(ridge.x(), true, ridge.x(), false, 2 / static_cast<double>(n));
  for (Index o = 0; o < q; ++o) {
    const Vector e = ridge.y().col(o) - ridge.x() * fit.weights.segment(o * p, p);
    model.scores.middleCols(o * p, p) = -2 * (e.asDiagonal() * ridge.x());
    model.hessian.block(o * p, o * p, p, p) = h;
  }
  const Matrix x = ridge.x();
  model.score_derivative = [x, q](const Vector& v) {
    Matrix d(x.rows(), v.size());
    for (Index o = 0; o < q; ++o) {
      const Vector along = x * v.segment(o * x.cols(), x.cols());
      d.middleCols(o * x.cols(), x.cols()) = 2 * (along.asDiagonal() * x);
    }
    return d;
  };
  return model;
}

}  // namespace gnomon::reference
