#include "paired_differences.hpp"

#include <cmath>

#include "criteria/weighted_mean.hpp"
#include "learn/sic_frame.hpp"

namespace gnomon {
namespace {

using Form = SicFrame::QuadraticForm;

/// The path of a point, and its place there.
struct Place {
  std::size_t path, lambda;
};

Place place_of(std::span<const TargetPath> paths, Index point) {
  Place at{0, static_cast<std::size_t>(point)};
  while (at.lambda >= paths[at.path].lambdas().size()) at.lambda -= paths[at.path++].lambdas().size();
  return at;
}

Vector of_sic(std::span<const TargetPath> paths, Index target, const Metric& metric, double sigma2,
              Index least) {
  const auto forms = [&](const TargetPath& path, auto&& take) {
    const SicFrame frame(*path.learner().solved(), target, metric);
    for (std::size_t k = 0; k < path.fits->size(); ++k) take(k, frame.quadratic_form((*path.fits)[k]));
  };
  const Place at = place_of(paths, least);
  std::optional<Form> best;
  forms(paths[at.path], [&](std::size_t k, std::optional<Form> form) {
    if (k == at.lambda) best = std::move(form);
  });
  if (!best) return {};
  const double squares = best->product(*best);
  std::vector<double> errors;
  for (const TargetPath& path : paths) {
    forms(path, [&](std::size_t, const std::optional<Form>& form) {
      errors.push_back(
          form ? quadratic_form_deviation(form->product(*form) + squares - 2 * form->product(*best),
                                          (form->half_gradient - best->half_gradient).squaredNorm(), sigma2)
               : undefined);
    });
  }
  errors[static_cast<std::size_t>(least)] = 0;
  return Eigen::Map<const Vector>(errors.data(), static_cast<Index>(errors.size()));
}

}  // namespace

Vector held_out_difference_errors(std::span<const TargetPath> paths, Index target, const Folds& folds,
                                  const Vector& weight, Index least) {
  const auto squares = [&](const TargetPath& path) -> Matrix {
    const Points points = points_of(path.lambdas());
    return path.learner().unseen_residuals(points, target, folds, folds.count == 0, {}).residual.cwiseAbs2();
  };
  const Place at = place_of(paths, least);
  const Matrix of_best = squares(paths[at.path]);
  const Vector best = of_best.col(static_cast<Index>(at.lambda));
  const Vector w = weight.size() ? weight : Vector::Ones(best.size());
  std::vector<double> errors;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const Matrix table = i == at.path ? of_best : squares(paths[i]);
    for (const auto& own : table.colwise()) errors.push_back(weighted_mean(own - best, w).standard_error);
  }
  return Eigen::Map<const Vector>(errors.data(), static_cast<Index>(errors.size()));
}

Vector difference_errors(const Criterion& criterion, std::span<const TargetPath> paths, Index target,
                         const Metric& metric, const NoiseVariance& noise, Index least) {
  if (std::holds_alternative<LeftOutByImportance>(criterion.formula))
    return held_out_difference_errors(paths, target, {}, paths.front().learner().solved()->importance(),
                                      least);
  const bool is_sic = std::holds_alternative<SicFormula>(criterion.formula) &&
                      criterion.reference == Criterion::Reference::least_squares &&
                      criterion.covariance == Criterion::Covariance::divergence;
  if (!is_sic || !paths.front().fits || metric.kind != Metric::Kind::points || noise.per_lambda()) return {};
  return of_sic(paths, target, metric, noise.at(0), least);
}

}  // namespace gnomon
