#include "gnomon/criteria/basic.hpp"

#include <memory>

#include "gnomon/core/error.hpp"
#include "gnomon/core/text.hpp"
#include "gnomon/criteria/sic_frame.hpp"

namespace gnomon {
namespace {

/// SIC with the variance of the residuals at each λ: what infinitely many replications would give.
CriterionCurve of_smoother(const CriterionContext& c) {
  NoiseVariance residual{"bootstrap", "mean square of the residuals",
                         Vector(static_cast<Index>(c.sums.size()))};
  for (Index k = 0; k < residual.value.size(); ++k) {
    const SpectralSums& s = c.sums[static_cast<std::size_t>(k)];
    const double scale = c.bootstrap.rescaled ? (s.g > 0 ? s.g : undefined) : c.count();
    residual.value[k] = s.z2g2 / scale;
  }
  const CriterionContext with_residuals{c.learner,      c.target, c.lambdas, c.sums, residual,   c.metric,
                                        c.pilot_lambda, c.folds,  c.repeats, c.seed, c.progress, c.bootstrap};
  CriterionCurve curve = subspace_information(with_residuals);
  curve.covariance = "residual bootstrap, all replications in closed form";
  curve.constant.reset();
  return curve;
}

}  // namespace

CriterionCurve bootstrap_information(const CriterionContext& c) {
  if (c.learner.linear()) return of_smoother(c);
  const PathLearner& learner = *c.learner.solved();
  const SicFrame frame(learner, c.target, c.metric);
  const auto& fits = learner.path(c.lambdas, c.target);
  const Vector y = learner.target(c.target);
  BootstrapPath problem{.start =
                            [&] {
                              const PathFit* near = &fits.back();
                              auto last = std::make_shared<PathFit>();
                              return [&learner, &fits, near, last](std::size_t place,
                                                                   const Vector& other) mutable {
                                *last = learner.refit(other, fits[place].lambda, *near);
                                near = last.get();
                                return learner.parameters_of(*last);
                              };
                            },
                        .pairing = frame.pairing(),
                        .fitted = {},
                        .residual = {},
                        .weight = learner.weight(),
                        .intercept = frame.without_constant()};
  for (std::size_t k = 0; k < fits.size(); ++k) {
    problem.fitted.push_back(learner.fitted(fits[k]));
    problem.residual.push_back(
        treated_residuals(y - problem.fitted.back(), learner.weight(), c.sums[k].df, c.bootstrap));
  }
  const Vector covariance = bootstrap_covariance(problem, random_resampling(c.seed, learner.weight()),
                                                 c.bootstrap.replications, c.progress);
  CriterionCurve curve{Vector(covariance.size()),
                       {},
                       {},
                       fmt::format("residual bootstrap, {} replications", c.bootstrap.replications)};
  for (Index k = 0; k < covariance.size(); ++k)
    curve.value[k] = frame.distance(fits[static_cast<std::size_t>(k)]) + 2 * covariance[k];
  return curve;
}

}  // namespace gnomon
