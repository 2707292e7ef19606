// Kinds of the linear smoothers: kernel_ridge, kernel_risk, linear_ridge.

#include <Eigen/Eigenvalues>
#include <cmath>

#include "golden.hpp"
#include "reference/kernel_risk.hpp"

namespace gnomon::golden {
namespace {

Kernel kernel_of(const Json& spec) {
  std::string name = spec.at("type").get<std::string>();
  if (spec.contains("degree")) name += ":" + std::to_string(spec.at("degree").get<int>());
  return parse_kernel(name, spec.value("width", 1.0));
}

std::vector<double> lambdas_of(const Json& params) { return params.at("lambdas").get<std::vector<double>>(); }

NoiseVariance known(double sigma2) { return {"given", "", Vector::Constant(1, sigma2)}; }

/// Everything of one learner at all λ.
struct Run {
  Smoother smoother;
  std::vector<double> lambdas;
  NoiseVariance noise;
  Metric metric;
  Progress progress{};

  CriterionContext context() const {
    return {smoother, 0, lambdas, noise, metric, undefined, 10, 1, 0, progress};
  }
  Vector curve(const Criterion& criterion) const { return criterion.evaluate(context()).value; }
  template <class F>
  Vector of_counts(const F& f) const {
    const auto counts = smoother.counts(points_of(lambdas), 0, false, false);
    Vector v(static_cast<Index>(counts.size()));
    for (Index k = 0; k < v.size(); ++k) v[k] = f(counts[static_cast<std::size_t>(k)]);
    return v;
  }
  template <class F>
  Vector of_sums(const F& f) const {
    const auto sums = smoother.sums(lambdas, 0);
    Vector v(static_cast<Index>(sums.size()));
    for (Index k = 0; k < v.size(); ++k) v[k] = f(sums[static_cast<std::size_t>(k)]);
    return v;
  }
};

}  // namespace

Json kernel_ridge(const Json& input, const Json& params) {
  const Matrix x = matrix_of(input.at("x")), y = matrix_of(input.at("y"));
  const bool alpha = params.at("convention") == "alpha";
  const double sigma2 = params.at("sigma2").get<double>();
  std::optional<double> tolerance;
  if (const Json& range = params.value("range", Json("all")); range.is_object()) {
    tolerance = range.at("rtol").get<double>();
  } else {
    tolerance = -1;
  }
  Run run{Smoother(x, y, Vector(),
                   {.representation = kernel_of(params.at("kernel")),
                    .filter = alpha ? coefficient_tikhonov : tikhonov,
                    .intercept = false,
                    .range_tolerance = tolerance}),
          lambdas_of(params),
          known(sigma2),
          {.kind = Metric::Kind::function_space, .points = {}, .description = ""}};
  Json out;
  Json coefficients = Json::array(), fitted = Json::array();
  for (const double lambda : run.lambdas) {
    coefficients.push_back(vector_to_json(run.smoother.coefficients(lambda, 0)));
    fitted.push_back(vector_to_json(run.smoother.fitted(lambda, 0)));
  }
  out["alpha"] = coefficients;
  out["fitted"] = fitted;
  out["trace_hat"] = vector_to_json(run.of_sums([](const SpectralSums& s) { return s.df; }));
  out["rss"] = vector_to_json(run.of_sums([](const SpectralSums& s) { return s.z2g2; }));
  out["sigma2_residual"] = vector_to_json(run.of_counts(residual_variance));
  out["sigma2_ml"] =
      vector_to_json(run.of_sums([&](const SpectralSums& s) { return s.z2g / run.smoother.count(); }));
  const auto put = [&](const char* name, const Vector& values) {
    out[name] = vector_to_json(values);
    out[std::string("argmin_") + name] = argmin_of(values);
  };
  const Vector selection = run.curve(sic);
  put("sic_selection", selection);
  put("gcv", run.curve(gnomon::gcv));
  put("loocv", run.smoother.leave_one_out(run.lambdas, 0).value);
  put("neg2_log_evidence", run.curve(evidence));
  if (const auto constant = sic_constant(run.smoother.spectrum(), 0, sigma2)) {
    out["sic_constant"] = *constant;
    put("sic_full", (selection.array() + *constant).matrix());
  }
  const Spectrum& spectrum = run.smoother.spectrum();
  out["rank"] = (spectrum.values.array() > std::max(*tolerance, 0.0) * spectrum.top()).count();
  return out;
}

Json kernel_risk(const Json& input, const Json& params) {
  const Matrix x = matrix_of(input.at("x")), f = matrix_of(input.at("f"));
  const double sigma2 = params.at("sigma2").get<double>();
  Json out;
  for (const bool alpha : {true, false}) {
    const Smoother smoother(x, f, Vector(),
                            {.representation = kernel_of(params.at("kernel")),
                             .filter = alpha ? coefficient_tikhonov : tikhonov,
                             .intercept = false,
                             .range_tolerance = -1});
    const reference::KernelRisk risk = reference::kernel_risk_of(smoother, lambdas_of(params), sigma2);
    const std::string suffix = alpha ? "_alpha" : "_rkhs";
    out["j_prime" + suffix] = vector_to_json(risk.risk);
    out["risk_selection" + suffix] = vector_to_json(risk.selection);
    out["norm_fS"] = risk.squared_norm;
  }
  return out;
}

Json linear_ridge(const Json& input, const Json& params) {
  const Matrix phi = matrix_of(input.at("Phi")), y = matrix_of(input.at("y")), u = matrix_of(input.at("U"));
  const double sigma2 = params.at("sigma2").get<double>();
  // Points whose second moments are U: the rows of a square root of it.
  const Eigen::SelfAdjointEigenSolver<Matrix> root(u);
  const Vector root_values = root.eigenvalues().cwiseMax(0).cwiseSqrt();
  const Matrix points = root_values.asDiagonal() * root.eigenvectors().transpose();
  Run run{Smoother(phi, y, Vector(),
                   {.representation = Basis::fit("linear", phi), .filter = tikhonov, .intercept = false}),
          lambdas_of(params),
          known(sigma2),
          {.kind = Metric::Kind::points, .points = {points, Vector::Ones(points.rows())}, .description = ""}};
  Json out;
  out["rank"] = run.smoother.spectrum().values.size();
  out["alpha_u"] = vector_to_json(run.smoother.coefficients(0, 0));
  Json coefficients = Json::array();
  for (const double lambda : run.lambdas)
    coefficients.push_back(vector_to_json(run.smoother.coefficients(lambda, 0)));
  out["alpha"] = coefficients;
  out["trace_hat"] = vector_to_json(run.of_sums([](const SpectralSums& s) { return s.df; }));
  out["rss"] = vector_to_json(run.of_sums([](const SpectralSums& s) { return s.z2g2; }));
  const Vector values = run.curve(sic);
  out["sic"] = vector_to_json(values);
  out["argmin_sic"] = argmin_of(values);
  // tr(U L L_uᵀ) is the coefficient of 2σ² in the criterion.
  Run unit{Smoother(phi, Matrix::Zero(y.rows(), 1), Vector(),
                    {.representation = Basis::fit("linear", phi), .filter = tikhonov, .intercept = false}),
           run.lambdas, known(0.5), run.metric};
  out["trace_term"] = vector_to_json(unit.curve(sic));
  out["sigma2_ols"] = number_to_json(least_squares_variance(run.smoother.spectrum(), 0));
  return out;
}

}  // namespace gnomon::golden
