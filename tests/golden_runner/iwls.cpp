// Kind iwls: importance-weighted least squares along flattening exponents, Ĵ, cross-validation.

#include "reference.hpp"

namespace gnomon::golden {
namespace {

Folds folds_of(const Json& lists, Index rows) {
  Folds folds{std::vector<int>(static_cast<std::size_t>(rows), 0), static_cast<int>(lists.size())};
  for (std::size_t f = 0; f < lists.size(); ++f) {
    for (const auto& row : lists[f]) folds.of_row[row.get<std::size_t>()] = static_cast<int>(f);
  }
  return folds;
}

PathLearner learner_at(const Matrix& phi, const Vector& y, const Vector& w, double exponent) {
  return PathLearner(std::make_shared<const Matrix>(phi), y, flattened(w, exponent),
                     {.representation = Basis::fit("linear", phi),
                      .solver = [](const SolverDesign& design,
                                   const CentredGram* known) { return weighted_ridge(design, known); },
                      .intercept = false,
                      .importance = w});
}

}  // namespace

Json iwls(const Json& input, const Json& params) {
  const Vector w = vector_from_json(input.at("w"));
  const Reference r(input, w);
  const Folds folds = folds_of(input.at("folds"), r.y.size());
  const Smoother plain(
      r.phi, r.y, Vector(),
      {.representation = Basis::fit("linear", r.phi), .filter = tikhonov, .intercept = false});
  const double estimated = least_squares_variance(plain.spectrum(), 0);
  const Json& given = params.value("sigma2", Json(nullptr));
  const long double sigma2 = given.is_null() ? estimated : given.get<double>();
  const double n = static_cast<double>(r.y.size());
  const std::vector<double> no_penalty{0};
  auto alpha = Json::array();
  Vector trace_term(static_cast<Index>(params.at("lambdas").size()));
  Vector jhat(trace_term.size()), cv_mean(trace_term.size()), cv_pooled(trace_term.size()),
      iwcv_mean(trace_term.size()), iwcv_pooled(trace_term.size());
  Index k = 0;
  for (const auto& exponent : params.at("lambdas")) {
    const PathLearner learner = learner_at(r.phi, r.y, w, exponent.get<double>());
    const PathFit& fit = learner.path(no_penalty, 0).front();
    alpha.push_back(vector_to_json(fit.coefficients));
    trace_term[k] = learner.divergence(fit, 0, r.pair(), [&] { return r.trace_matrix(); });
    jhat[k] = static_cast<double>(r.distance(fit.coefficients) +
                                  2 * sigma2 * static_cast<long double>(trace_term[k]));
    const FoldErrors errors = learner.fold_errors(no_penalty, 0, folds);
    cv_mean[k] = (errors.sums.col(0).array() / errors.weights.array()).mean();
    cv_pooled[k] = errors.sums.sum() / n;
    iwcv_mean[k] = (errors.importance_sums.col(0).array() / errors.weights.array()).mean();
    iwcv_pooled[k] = errors.importance_sums.sum() / n;
    ++k;
  }
  return {{"sigma2_u", number_to_json(estimated)},
          {"alpha", alpha},
          {"trace_term", vector_to_json(trace_term)},
          {"jhat", vector_to_json(jhat)},
          {"cv", vector_to_json(cv_mean)},
          {"cv_pooled", vector_to_json(cv_pooled)},
          {"iwcv", vector_to_json(iwcv_mean)},
          {"iwcv_pooled", vector_to_json(iwcv_pooled)},
          {"argmin_jhat", argmin_of(jhat)},
          {"argmin_cv", argmin_of(cv_mean)},
          {"argmin_iwcv", argmin_of(iwcv_mean)}};
}

}  // namespace gnomon::golden
