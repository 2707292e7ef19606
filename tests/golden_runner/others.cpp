// Kinds u_matrix and noise_variance.

#include <numbers>

#include "decompose/decomposition.hpp"
#include "golden.hpp"
#include "reference/metric.hpp"
#include "represent/gram.hpp"

namespace gnomon::golden {
namespace {

using namespace reference;

/// rss/Σ g², unbiased where (I−H)f = 0.
double residual_variance_unbiased(const Counts& c) {
  return c.left_squared > 0 ? c.rss / c.left_squared : undefined;
}

}  // namespace

Json u_matrix(const Json& input, const Json& params) {
  if (params.value("source", "") == "sample")
    return {{"U", rows_of(metric_from_sample(matrix_of(input.at("Phi_u"))))}};
  const Json& basis = params.at("basis");
  const std::string type = basis.at("type");
  const Json& given = params.at("density");
  const Density density =
      given.at("type") == "uniform"
          ? Density(UniformDensity{given.at("a").get<double>(), given.at("b").get<double>()})
          : Density(NormalDensity{given.at("mean").get<double>(), given.at("sd").get<double>()});
  if (type == "polynomial")
    return {{"U", rows_of(polynomial_metric(basis.at("degree").get<Index>(), density))}};
  if (type == "trigonometric")
    return {{"U", rows_of(trigonometric_metric(basis.at("order").get<Index>(), density))}};
  if (type == "gaussian_rbf")
    return {{"U", rows_of(gaussian_metric(vector_from_json(basis.at("centres")),
                                          basis.at("width").get<double>(), density))}};
  fail("unknown basis '{}'", type);
}

Json noise_variance(const Json& input, const Json& params) {
  const Matrix x = matrix_of(input.at("x")), y = matrix_of(input.at("y"));
  const Json& spec = params.at("kernel");
  const Kernel kernel = parse_kernel(spec.at("type").get<std::string>(), spec.value("width", 1.0));
  const auto lambdas = params.at("lambdas").get<std::vector<double>>();
  const double n = static_cast<double>(x.rows());
  const auto json_of = [](const std::optional<double>& v) { return v ? number_to_json(*v) : Json(nullptr); };
  Json out;
  for (const bool alpha : {true, false}) {
    const std::string suffix = alpha ? "_alpha" : "_rkhs";
    const Smoother smoother(x, y, Vector(),
                            {.representation = kernel,
                             .filter = alpha ? coefficient_tikhonov : tikhonov,
                             .intercept = false,
                             .range_tolerance = -1});
    const auto counts = smoother.counts(points_of(lambdas), 0, true, false);
    auto residual = Json::array(), unbiased = Json::array(), reml = Json::array();
    for (const auto& s : counts) {
      residual.push_back(number_to_json(residual_variance(s)));
      unbiased.push_back(number_to_json(residual_variance_unbiased(s)));
    }
    out["residual" + suffix] = residual;
    out["residual_be" + suffix] = unbiased;
    out["gcv_choice" + suffix] = number_to_json(gcv_variance(counts));
    out["ml" + suffix] = number_to_json(evidence_variance(smoother.evidence(points_of(lambdas), 0, false)));
    // REML: the Gaussian process with covariance K (or K², for the coefficient penalty) plus a fixed
    // intercept.
    Matrix covariance = gram(kernel, x);
    if (alpha) covariance = covariance * covariance;
    const auto restricted =
        decompose_gram(std::move(covariance), WeightedRows(x.rows(), Vector(), true), y, -1);
    std::vector<EvidenceParts> parts;
    for (const auto& s : restricted->sums(tikhonov, lambdas, 0)) {
      EvidenceParts e;
      e.n = n, e.fixed = 1, e.quadratic = s.z2g, e.log_determinant = s.log_prior_ratio + std::log(n);
      reml.push_back(number_to_json(std::get<EvidenceFormula>(evidence.formula)(e, {})));
      parts.push_back(e);
    }
    out["neg2_log_reml" + suffix] = reml;
    out["reml_intercept" + suffix] = number_to_json(evidence_variance(parts));
  }
  if (x.cols() == 1) {
    out["rice"] = json_of(rice(x.col(0), y.col(0)));
    out["gsj"] = json_of(gsj(x.col(0), y.col(0)));
  }
  out["nearest"] = json_of(nearest(x, y.col(0)));
  out["pure_error"] = json_of(pure_error(x, y.col(0)));
  return out;
}

}  // namespace gnomon::golden
