// Kinds of adaptive regularization for linear models: linear, mackay, argmin. Here the inputs stand beside the expected numbers.

#include <cmath>

#include "golden.hpp"
#include "learn/ridge_groups/ridge_folds.hpp"
#include "reference/by_name.hpp"
#include "reference/fpe.hpp"
#include "reference/fper.hpp"
#include "reference/gpe.hpp"
#include "reference/group_scale.hpp"
#include "reference/spectral_ridge.hpp"
#include "search/mackay.hpp"

namespace gnomon::golden {

Json adaptive_linear(const Json& input, const Json& params);
Json mackay(const Json& input, const Json& params);
Json argmin(const Json& input, const Json& params);

namespace {

using namespace gnomon::reference;
using reference::KappaScan, reference::SpectralRidge;

GroupedPenalty penalty_of(const Json& input) {
  if (!input.at("groups").is_null()) return GroupedPenalty::decay(input.at("groups").get<std::vector<int>>());
  std::vector<Matrix> matrices;
  for (const auto& p : input.at("P")) matrices.push_back(matrix_of(p));
  return GroupedPenalty::quadratic(std::move(matrices));
}

/// d/dκ from d/d log κ, for what is not defined where a κ is 0.
Json per_kappa(const Vector& gradient, const Vector& kappa) {
  return vector_to_json(gradient.cwiseQuotient(kappa));
}

Json value_and_gradient(const HyperEstimate& e) {
  return {{"value", e.value}, {"grad", vector_to_json(e.gradient)}};
}

Json gen_of(const GroupedRidge& ridge, const Vector& kappa, Index lags, LagWindow window) {
  const GenEstimate e = ridge_gen(ridge, kappa, {.lags = lags, .window = window});
  return {{"value", e.value},
          {"m_eff", e.m_eff},
          {"term3", e.penalty_term},
          {"A", e.lag_count},
          {"grad_eq14", vector_to_json(e.gradient_eq14)},
          {"grad_exact", vector_to_json(e.gradient)}};
}

/// Names like M3_paper.
Json gens_of(const GroupedRidge& ridge, const Vector& kappa, const Json& expected) {
  Json out = Json::object();
  for (const auto& [name, unused] : expected.items()) {
    const auto bar = name.find('_');
    const std::string window = name.substr(bar + 1);
    out[name] = gen_of(ridge, kappa, std::stol(name.substr(1, bar - 1)),
                       window == "paper"      ? LagWindow::paper
                       : window == "bartlett" ? LagWindow::bartlett
                                              : LagWindow::corrected);
  }
  return out;
}

/// ∂/∂log β of the negative log evidence: βNC − (n − p₀)/2.
double evidence_slope_in_log_beta(const DecayEvidence& e, double beta) {
  return beta * e.samples * e.cost - 0.5 * (e.observations - e.unpenalised);
}

Json evidence_of(const DecayEvidence& parts, double beta) {
  const HyperEstimate given = negative_log_evidence(parts, beta), best = profiled_evidence(parts);
  return {{"beta", beta},
          {"nle", given.value},
          {"grad_kappa", per_kappa(given.gradient, parts.kappa)},
          {"grad_log_beta", evidence_slope_in_log_beta(parts, beta)},
          {"beta_profile", best_beta(parts)},
          {"nle_profile", best.value},
          {"grad_kappa_profile", per_kappa(best.gradient, parts.kappa)}};
}

/// The fixed point of the update as printed in eq. (18), whose β lacks a factor 2; it may run to 0.
Vector printed_fixed_point(const GroupedRidge& ridge, Vector kappa) {
  double change = 1;
  for (int i = 0; i < 20000 && change > 1e-14; ++i) {
    const DecayEvidence e = ridge.evidence(kappa);
    Vector next = 0.5 * e.training_error / e.left * e.gamma.cwiseQuotient(e.squared_norm);
    next = (next.array() < 1e-100).select(1e-300, next);  // on its way to 0
    change = (next.array() / kappa.array()).log().abs().maxCoeff();
    kappa = std::move(next);
  }
  return kappa;
}

Json curve_of(const SpectralRidge& ridge, SpectralRidge::Curve curve, const Json& scan) {
  const double scale = scan.at("scale").get<double>();
  const double lower = scale * std::pow(10, scan.at("log10_lo").get<double>());
  const double upper = scale * std::pow(10, scan.at("log10_hi").get<double>());
  const KappaScan found = scan_kappa(ridge, curve, lower, upper, 20);
  Json out{{"stationary", Json::array()}};
  for (const auto& point : found.stationary) {
    out["stationary"].push_back({{"kappa", point.kappa},
                                 {"type", point.minimum ? "min" : "max"},
                                 {"value", number_to_json(point.value)}});
  }
  if (curve == SpectralRidge::Curve::gen_eq14) return out;
  const char* const where[] = {"interior", "lower end", "upper end"};
  out["global"] = {
      {"kappa", found.kappa}, {"value", found.value}, {"where", where[static_cast<int>(found.where)]}};
  return out;
}

}  // namespace

Json adaptive_linear(const Json& input, const Json&) {
  const Vector kappa = vector_from_json(input.at("kappa"));
  const GroupedRidge ridge(matrix_of(input.at("X")), matrix_of(input.at("y")), penalty_of(input),
                           SlopesBy::kappa);
  const RidgeFit fit = ridge.fit(kappa);
  const CountedError counts = ridge_counted(ridge, kappa);
  Folds folds{std::vector<int>(static_cast<std::size_t>(ridge.samples())), 0};
  for (const auto& fold : input.at("folds")) {
    for (const auto& row : fold) folds.of_row[row.get<std::size_t>()] = folds.count;
    ++folds.count;
  }
  const Json& expected = input.at("expected");
  Json out{{"w", vector_to_json(fit.weights)},
           {"S", fit.training_error},
           {"R", fit.penalty},
           {"C", fit.cost},
           {"m1", counts.m1},
           {"m2", counts.m2},
           {"FPER", reference::fper(counts).value},
           {"GPE", reference::gpe(counts).value},
           {"GCV", reference::gcv(counts).value},
           {"FPE_formula_at_this_kappa", number_to_json(reference::fpe(counts).value)},
           {"loo", value_and_gradient(ridge_loo(ridge, kappa))},
           {"kfold", value_and_gradient(folds_cv(RidgeFolds(ridge, folds), kappa))},
           {"gen", gens_of(ridge, kappa, expected.at("gen"))}};
  if (ridge.penalty().is_decay()) {
    const DecayEvidence parts = ridge.evidence(kappa);
    const MackayUpdate step = mackay_update(parts);
    out["gamma"] = vector_to_json(parts.gamma);
    const Json& given = expected.value("evidence", Json::object());
    out["evidence"] = evidence_of(parts, given.value("beta", best_beta(parts)));
    out["mackay_step"] = {{"alpha", vector_to_json(step.alpha)},
                          {"beta", step.beta},
                          {"kappa_new", vector_to_json(step.kappa)},
                          {"kappa_new_as_printed_in_eq18", vector_to_json(0.5 * step.kappa)}};
  }
  return out;
}

Json mackay(const Json& input, const Json&) {
  const GroupedRidge ridge(matrix_of(input.at("X")), matrix_of(input.at("y")), penalty_of(input));
  MackayOptions options;
  options.scale = reference::group_scale(ridge);
  options.tolerance = 1e-13;
  options.max_iterations = 5000;
  const auto at = [&](const Vector& kappa) { return ridge.evidence(kappa); };
  const MackayResult found = gnomon::mackay(at, vector_from_json(input.at("kappa0")), options);
  return {{"kappa", vector_to_json(found.kappa)},
          {"alpha", vector_to_json(found.alpha)},
          {"beta", found.beta},
          {"gamma", vector_to_json(found.gamma)},
          {"gamma_total", found.gamma_total},
          {"w", vector_to_json(ridge.fit(found.kappa).weights)},
          {"nle", found.negative_log_evidence},
          {"residual", found.residual},
          {"kappa_fixed_point_of_printed_eq18",
           vector_to_json(printed_fixed_point(ridge, vector_from_json(input.at("kappa0"))))}};
}

Json argmin(const Json& input, const Json&) {
  const SpectralRidge ridge(matrix_of(input.at("X")), matrix_of(input.at("y")).col(0));
  const Json& scan = input.at("scan");
  using Curve = SpectralRidge::Curve;
  return {{"loo", curve_of(ridge, Curve::loo, scan)},
          {"gen", curve_of(ridge, Curve::gen, scan)},
          {"gcv", curve_of(ridge, Curve::gcv, scan)},
          {"evidence", curve_of(ridge, Curve::evidence, scan)},
          {"gen_eq14", curve_of(ridge, Curve::gen_eq14, scan)}};
}

}  // namespace gnomon::golden
