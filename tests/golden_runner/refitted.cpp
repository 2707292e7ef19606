// Kinds of learners that are solved anew for every y: affine, huber, lasso, basic, mc_divergence. The learner, the metric
// U over its parameters and the reference Φ⁺ are given as matrices, so the three parts of SIC are put together here from
// the library's solvers and covariance terms.

#include <memory>

#include "reference.hpp"

namespace gnomon::golden {
namespace {

SolverDesign design_of(const Matrix& phi) { return {std::make_shared<const Matrix>(phi), Vector(), false}; }

PathSolverPtr solver_of(const Json& learner, const Matrix& phi) {
  const std::string type = learner.at("type").get<std::string>();
  if (type == "lasso") return std::make_unique<ElasticNet>(design_of(phi), ElasticNetOptions{});
  if (type == "huber")
    return std::make_unique<Huber>(design_of(phi), HuberOptions{.tau = learner.at("tau").get<double>()});
  if (type == "ridge" || type == "ols")
    return std::make_unique<Additive>(design_of(phi), Vector::Zero(phi.rows()));
  fail("unknown learner '{}'", type);
}

double lambda_of(const Json& learner) {
  return learner.contains("lambda") ? learner.at("lambda").get<double>() : learner.value("mu", 0.0);
}

PathFit fit_of(const PathSolver& solver, const Vector& y, double lambda) {
  return solver.path(y, std::vector<double>{lambda}).front();
}

}  // namespace

Json affine(const Json& input, const Json& params) {
  const Reference r(input);
  const Vector shift = vector_from_json(input.at("shift"));
  const Additive solver(design_of(r.phi), shift);
  const double lambda = params.value("lambda", 1.0), sigma2 = params.at("sigma2").get<double>();
  const PathFit fit = fit_of(solver, r.y, lambda);
  const double trace = solver.trace(fit, r.trace_matrix());
  return {{"c", vector_to_json(fit_of(solver, Vector::Zero(r.y.size()), lambda).coefficients)},
          {"alpha", vector_to_json(fit.coefficients)},
          {"trace_term", number_to_json(trace)},
          {"sic", number_to_json(static_cast<double>(r.distance(fit.coefficients) +
                                                     2 * sigma2 * static_cast<long double>(trace)))}};
}

namespace {

Json smooth(const Json& input, const Json& params, const PathSolver& solver, double lambda, const char* set) {
  const Reference r(input);
  const PathFit fit = fit_of(solver, r.y, lambda);
  const double trace = solver.trace(fit, r.trace_matrix()), sigma2 = params.at("sigma2").get<double>();
  return {{"alpha", vector_to_json(fit.coefficients)},
          {set, fit.active},
          {"objective", number_to_json(fit.objective)},
          {"divergence", number_to_json(trace)},
          {"sic", number_to_json(static_cast<double>(r.distance(fit.coefficients) +
                                                     2 * sigma2 * static_cast<long double>(trace)))}};
}

}  // namespace

Json huber(const Json& input, const Json& params) {
  const Huber solver(design_of(matrix_of(input.at("Phi"))), {.tau = params.at("tau").get<double>()});
  return smooth(input, params, solver, params.value("mu", 0.0), "quadratic_set");
}

Json lasso(const Json& input, const Json& params) {
  const ElasticNet solver(design_of(matrix_of(input.at("Phi"))), ElasticNetOptions{});
  return smooth(input, params, solver, params.at("lambda").get<double>(), "active");
}

Json basic_kind(const Json& input, const Json& params) {
  const Reference r(input);
  const Json& learner = params.at("learner");
  const auto solver = solver_of(learner, r.phi);
  const double lambda = lambda_of(learner);
  const PathFit fit = fit_of(*solver, r.y, lambda);
  const Json& indices = input.at("idx");
  const Resampling given = [&](Index b, std::vector<Index>& rows) {
    rows = indices[static_cast<std::size_t>(b)].get<std::vector<Index>>();
  };
  const auto covariance = [&](const BootstrapOptions& options, double scale) {
    const Vector fitted = r.phi * fit.coefficients;
    const BootstrapProblem problem{
        .learner = [&](const Vector& y) { return solver->refit(y, lambda, fit).coefficients; },
        .pairing = r.pair(),
        .fitted = fitted,
        .residual = scale * treated_residuals(r.y - fitted, Vector(), undefined, options)};
    return bootstrap_covariance(problem, given, static_cast<int>(indices.size()));
  };
  const double raw = covariance({}, 1), centred = covariance({.centred = true}, 1),
               scaled = covariance({.centred = true}, params.value("scale", 1.0));
  const double distance = static_cast<double>(r.distance(fit.coefficients));
  return {{"cov", raw},
          {"basic", distance + 2 * raw},
          {"cov_centred", centred},
          {"basic_centred", distance + 2 * centred},
          {"cov_centred_scaled", scaled},
          {"basic_centred_scaled", distance + 2 * scaled}};
}

Json mc_divergence(const Json& input, const Json& params) {
  const Reference r(input);
  const Json& learner = params.at("learner");
  const auto solver = solver_of(learner, r.phi);
  const double lambda = lambda_of(learner);
  const PathFit fit = fit_of(*solver, r.y, lambda);
  const FitFunction refit = [&](const Vector& y) { return solver->refit(y, lambda, fit).coefficients; };
  const Matrix probes = matrix_of(input.at("probes")).transpose();
  const double step = params.at("eps").get<double>();
  const auto value = [&](bool central) {
    return monte_carlo_divergence(refit, r.pair(), r.y, Vector(), probes, step, central);
  };
  return {{"forward", value(false)}, {"central", value(true)}};
}

}  // namespace gnomon::golden
