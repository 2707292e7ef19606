#pragma once

// Criteria by name at logarithms of parameters, so that a test reads `evaluate(ridge, {"loo"}, theta, true)`.

#include "gnomon/criteria/criteria.hpp"
#include "learn/kernel_widths/complement.hpp"
#include "learn/mlp/estimates.hpp"
#include "learn/ridge_groups/grouped_ridge.hpp"
#include "learn/ridge_groups/ridge_folds.hpp"
#include "reference/counted_error.hpp"
#include "reference/estimate.hpp"
#include "reference/evidence.hpp"
#include "reference/gen_options.hpp"

namespace gnomon::reference {

using Tunable = Learner;
using TunedFit = Fit;
using TunedParameter = Parameter;

struct HyperCriterion {
  std::string_view name;
  Index lags = 0;
  std::vector<Folds> folds{};
  double sigma2 = undefined;

  operator GivenCriterion() const {
    return {find_criterion(name).criterion, {.sigma2 = sigma2, .lags = lags, .folds = folds}};
  }
};

inline HyperEstimate evaluate(const Learner& learner, const HyperCriterion& c, const Vector& theta,
                              bool gradient) {
  return GivenCriterion(c).at(learner, theta.array().exp(), gradient);
}
inline Fit fit_of(const Learner& learner, const Vector& theta) {
  return learner.fit_at(theta.array().exp().matrix());
}
inline std::string undefined_for(const Learner& learner, std::string_view name) {
  return find_criterion(name).criterion.undefined_for(learner, {});
}

/// Counts as sums of squares and effective numbers of parameters.
CountedError ridge_counted(const GroupedRidge&, const VectorView& kappa, bool gradient = true,
                           bool squares = true);
HyperEstimate ridge_loo(const GroupedRidge&, const VectorView& kappa, bool gradient = true);
HyperEstimate folds_cv(const RidgeFolds&, const VectorView& kappa, bool gradient = true);
/// GEN from the library's scores; other windows and equation (14) from the general form.
GenEstimate ridge_gen(const GroupedRidge&, const VectorView& kappa, const GenOptions& = {});

/// A criterion of what a fit leaves, and its slope in Q.
struct ComplementEstimate : HyperEstimate {
  ComplementSlope slope;
};
ComplementEstimate complement_estimate(const HyperCriterion&, const Complement&, bool slope = true);

}  // namespace gnomon::reference

namespace gnomon {

/// GEN of a network by any window of lags.
struct MlpGen {
  std::optional<double> value;
  double effective = 0, correction = 0, a = 1;
  Vector gradient, gradient_printed;
  std::string status;
};
MlpGen mlp_gen(const MlpEstimates&, Index lag = 0, MlpLagWindow window = MlpLagWindow::corrected,
               bool with_gradient = true);

/// −log evidence of a network, at a given β or at the best one.
struct MlpEvidence {
  std::optional<double> value;
  double beta = 1;
  Vector gradient, gradient_fixed_hessian;
  double gradient_log_beta = 0;
  std::string status;
};
MlpEvidence mlp_evidence(const MlpEstimates&, std::optional<double> beta = {}, bool with_gradient = true);

}  // namespace gnomon
