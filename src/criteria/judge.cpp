#include "gnomon/criteria/judge.hpp"

#include "gnomon/core/error.hpp"
#include "no_lags.hpp"

namespace gnomon {

CriterionCurve judge(const Learner& learner, const Criterion& criterion, std::span<const double> lambdas,
                     const JudgeOptions& options, const Progress& progress) {
  const std::string why = criterion.undefined_for(learner, options.metric);
  require(why.empty(), "criterion '{}' is not defined for this learner: {}", criterion.name, why);
  const NoiseVariance noise{"given", "", Vector::Constant(1, options.sigma2)};
  const std::string unpaired = no_lags(learner, options.lags);
  require(unpaired.empty(), "{}: {}", criterion.name, unpaired);
  return criterion.evaluate({learner,
                             options.target,
                             {lambdas.begin(), lambdas.end()},
                             noise,
                             options.metric,
                             options.pilot_lambda,
                             options.folds,
                             options.repeats,
                             options.seed,
                             progress,
                             options.bootstrap,
                             false,
                             options.lags});
}

}  // namespace gnomon
