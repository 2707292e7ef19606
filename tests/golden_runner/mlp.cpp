// Kind mlp: one network at given weights (block `fixed`) and at a minimum (block `trained`).

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

#include "core/text.hpp"
#include "golden.hpp"
#include "learn/mlp/estimates.hpp"
#include "learn/mlp/validation.hpp"
#include "reference/by_name.hpp"
#include "reference/mlp_validation.hpp"
#include "search/mackay.hpp"

namespace gnomon::golden {
namespace {

using reference::MlpCrossValidation, reference::mlp_approximate_loo, reference::mlp_cross_validation;

MlpCost cost_of(const Json& vector) {
  const MlpShape shape{vector.at("d").get<Index>(),
                       {vector.at("h").get<Index>()},
                       vector.at("m_out").get<Index>(),
                       vector.at("bias").get<bool>()};
  const auto loss = vector.at("loss") == "mse" ? MlpLoss::squared : MlpLoss::cross_entropy;
  return MlpCost(shape, loss, matrix_of(vector.at("X")), matrix_of(vector.at("Y")),
                 {vector.at("groups").get<std::vector<int>>(), vector_from_json(vector.at("kappa"))});
}

/// The vectors differentiate by κ, gnomon by log κ.
Json per_kappa(const Vector& gradient, const MlpCost& cost) {
  return vector_to_json(gradient.cwiseQuotient(cost.decay().kappa));
}

Json number_of(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

/// Laplace's formula with log|J| wherever det J > 0: at weights that are no minimum the vectors give it for an even
/// number of negative eigenvalues too, where gnomon calls the evidence undefined.
Json laplace_formula(const MlpCost& cost, const Vector& w, const Matrix& j, double beta) {
  const MlpDecay& decay = cost.decay();
  const Eigen::PartialPivLU<Matrix> lu(j);
  const Vector pivots = lu.matrixLU().diagonal();
  const double rows = static_cast<double>(cost.rows()), n = rows * static_cast<double>(cost.shape().outputs);
  const bool squared = cost.loss() == MlpLoss::squared;
  const double b = squared ? beta : 1;
  if (!(pivots.array().sign().prod() * static_cast<double>(lu.permutationP().determinant()) > 0))
    return nullptr;
  double value = b * rows * cost.cost(w) + 0.5 * pivots.array().abs().log().sum() +
                 0.5 * static_cast<double>(w.size()) * std::log(b * rows / (2 * M_PI));
  for (Index g = 0; g < decay.groups(); ++g)
    value -= 0.5 * static_cast<double>(decay.size_of(g)) * std::log(decay.kappa[g] * b * rows / M_PI);
  return squared ? value + 0.5 * n * std::log(M_PI / b) : value;
}

Json gen_of(const MlpGen& gen, const MlpCost& cost, bool trained) {
  Json out{{"value", number_of(gen.value)},
           {"m_eff", gen.effective},
           {"term3", gen.correction},
           {"A", gen.a},
           {"grad_eq14", per_kappa(gen.gradient_printed, cost)}};
  if (trained) out["grad_exact"] = per_kappa(gen.gradient, cost);
  return out;
}

/// `gen_M{lag}_{mode}_{exact,gn}`, for whatever lags and modes the vector asks.
void add_gen(const Json& wanted, const std::string& kind, const MlpEstimates& estimates, const MlpCost& cost,
             bool trained, Json& out) {
  for (const auto& [name, unused] : wanted.items()) {
    const auto parts = split(name, '_');
    if (parts.size() != 4 || parts[0] != "gen" || parts[3] != kind) continue;
    const auto window = parts[2] == "corrected" ? MlpLagWindow::corrected
                        : parts[2] == "paper"   ? MlpLagWindow::printed
                                                : MlpLagWindow::bartlett;
    out[name] = gen_of(mlp_gen(estimates, std::stol(parts[1].substr(1)), window), cost, trained);
  }
}

Json block_of(const MlpCost& cost, const Vector& w, const Json& wanted, double beta, bool trained) {
  Vector grad_s, grad_c;
  const double s = cost.error_and_gradient(w, grad_s), c = cost.cost_and_gradient(w, grad_c);
  Json out{{"w", vector_to_json(w)},
           {"S", s},
           {"R", cost.penalty(w)},
           {"C", c},
           {"gradS", vector_to_json(grad_s)},
           {"gradC", vector_to_json(grad_c)},
           {"hessS", rows_of(cost.error_hessian(w, MlpHessian::exact))},
           {"gnS", rows_of(cost.error_hessian(w, MlpHessian::gauss_newton))}};
  for (const std::string kind : {"exact", "gn"}) {
    const MlpEstimates estimates(cost, w, kind == "exact" ? MlpHessian::exact : MlpHessian::gauss_newton);
    const MlpEffective effective = estimates.effective();
    out["eff_" + kind] = {{"m1", effective.m1},
                          {"m2", effective.m2},
                          {"gamma", vector_to_json(effective.gamma)},
                          {"gamma_total", effective.gamma_total}};
    const auto evidence_at_beta = mlp_evidence(estimates, beta, false).value;
    out["nle_" + kind] = evidence_at_beta ? Json(*evidence_at_beta)
                                          : laplace_formula(cost, w, estimates.curvature().j(), beta);
    add_gen(wanted, kind, estimates, cost, trained, out);
    if (!trained) continue;
    const MlpEvidence evidence = mlp_evidence(estimates);
    out["evidence_" + kind] = {{"beta_profile", evidence.beta},
                               {"nle_profile", number_of(evidence.value)},
                               {"grad_kappa_exact", per_kappa(evidence.gradient, cost)},
                               {"grad_kappa_no_third", per_kappa(evidence.gradient_fixed_hessian, cost)}};
    // The plain formulas: at weights with negative curvature γ_g may be negative, and the vectors keep it so.
    const DecayEvidence parts = estimates.decays(false);
    MackayUpdate step;
    step.alpha = parts.gamma.cwiseQuotient(2 * parts.squared_norm);
    step.beta = parts.likelihood_loss ? 1 : parts.left / (2 * parts.samples * parts.training_error);
    step.kappa = step.alpha / (step.beta * parts.samples);
    out["mackay_" + kind] = {{"kappa_new", vector_to_json(step.kappa)},
                             {"alpha", vector_to_json(step.alpha)},
                             {"beta", step.beta}};
    if (kind == "gn") continue;
    out["min_eig_J"] =
        Eigen::SelfAdjointEigenSolver<Matrix>(estimates.curvature().j(), Eigen::EigenvaluesOnly)
            .eigenvalues()[0];
    Matrix along = estimates.weights_along().value().transpose();
    along.array().colwise() /= cost.decay().kappa.array();
    out["dw_dkappa"] = rows_of(along);
  }
  return out;
}

Json fixed_block(const MlpCost& cost, const Json& fixed, double beta) {
  const Vector w = vector_from_json(fixed.at("w"));
  Json out = block_of(cost, w, fixed, beta, false);
  out["f"] = rows_of(cost.outputs(w));
  out["scores_first3"] = rows_of(cost.scores(w).topRows(3));
  const Vector v = vector_from_json(fixed.at("v"));
  out["v"] = fixed.at("v");
  out["D3S_v"] = rows_of(cost.error_hessian_along(w, v, MlpHessian::exact));
  return out;
}

Json trained_block(const MlpCost& cost, const Json& trained, double beta) {
  const MlpFit fit = mlp_train_from(cost, vector_from_json(trained.at("w")));
  Json out = block_of(cost, fit.model.w, trained, beta, true);
  out["grad_norm_inf"] = fit.gradient_norm;
  out["approx_loo"] = number_of(mlp_approximate_loo(cost, fit.model.w));
  const auto folds = trained.at("cv").at("folds").get<std::vector<std::vector<Index>>>();
  const MlpCrossValidation cv = mlp_cross_validation(cost, folds, fit.model.w);
  auto weights = Json::array();
  for (const MlpFit& one : cv.fits) weights.push_back(vector_to_json(one.model.w));
  out["cv"] = {{"folds", folds},
               {"value", number_of(cv.value)},
               {"grad", per_kappa(cv.gradient, cost)},
               {"w_folds", weights}};
  return out;
}

}  // namespace

/// `input` is the whole vector; the answer has its blocks `fixed` and `trained`.
Json mlp(const Json& input, const Json&) {
  const MlpCost cost = cost_of(input);
  const double beta = input.at("beta").get<double>();
  return {{"fixed", fixed_block(cost, input.at("fixed"), beta)},
          {"trained", trained_block(cost, input.at("trained"), beta)}};
}

}  // namespace gnomon::golden
