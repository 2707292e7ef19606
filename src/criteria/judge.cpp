#include "gnomon/criteria/judge.hpp"

#include "gnomon/core/error.hpp"
#include "gnomon/criteria/criteria.hpp"
#include "no_lags.hpp"

namespace gnomon {
namespace {

/// The λ with the least GCV; the largest where GCV is nowhere defined.
double least_gcv_of(const CriterionContext& context) {
  const Vector score = gcv.evaluate(context).value;
  double least = HUGE_VAL, at = context.lambdas.empty() ? undefined : context.lambdas.back();
  for (Index k = 0; k < score.size(); ++k) {
    if (score[k] < least) least = score[k], at = context.lambdas[static_cast<std::size_t>(k)];
  }
  return at;
}

}  // namespace

CriterionCurve judge(const Learner& learner, const Criterion& criterion, std::span<const double> lambdas,
                     const JudgeOptions& options, const Progress& progress) {
  const std::string why = criterion.undefined_for(learner, options.metric);
  require(why.empty(), "criterion '{}' is not defined for this learner: {}", criterion.name, why);
  const NoiseVariance noise{"given", "", Vector::Constant(1, options.sigma2)};
  const std::string unpaired = no_lags(learner, options.lags);
  require(unpaired.empty(), "{}: {}", criterion.name, unpaired);
  CriterionContext context{learner,       options.target,    {lambdas.begin(), lambdas.end()},
                           noise,         options.metric,    options.pilot_lambda,
                           options.folds, options.repeats,   options.seed,
                           progress,      options.bootstrap, false,
                           options.lags,  options.groups};
  if (criterion.reference != Criterion::Reference::least_squares && std::isnan(context.pilot_lambda))
    context.pilot_lambda = least_gcv_of(context);
  return criterion.evaluate(context);
}

}  // namespace gnomon
