#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

// Formula, source, assumptions and cost of each are in src/criteria/<name>.cpp and docs/theory/<name>.md.
extern const Criterion sic;         ///< the subspace information criterion
extern const Criterion rsic;        ///< the regularized subspace information criterion
extern const Criterion sic_pilot;   ///< the subspace information criterion against a pilot fit
extern const Criterion basic;       ///< the bootstrap approximated subspace information criterion
extern const Criterion sure;        ///< Stein's unbiased risk estimate
extern const Criterion cp;          ///< Mallows' C_L
extern const Criterion gcv;         ///< generalized cross-validation
extern const Criterion loo;         ///< leave-one-out
extern const Criterion cv;          ///< cross-validation
extern const Criterion iwcv;        ///< importance-weighted cross-validation
extern const Criterion iwloo;       ///< importance-weighted leave-one-out
extern const Criterion iwaic;       ///< the importance-weighted information criterion
extern const Criterion cv_blocked;  ///< cross-validation over blocks of consecutive rows
extern const Criterion fpe;         ///< the final prediction error
extern const Criterion fper;        ///< the final prediction error for regularized models
extern const Criterion gpe;         ///< the generalized prediction error
extern const Criterion gen;         ///< the GEN estimate
extern const Criterion nic;         ///< the network information criterion
extern const Criterion aic;         ///< Akaike's information criterion
extern const Criterion aicc;        ///< Akaike's information criterion, corrected
extern const Criterion bic;         ///< the Bayesian information criterion
extern const Criterion evidence;    ///< the evidence
extern const Criterion blend;       ///< leave-one-out and the evidence together

/// All of them, in the order of lists and messages.
const std::vector<Criterion>& criteria_catalog();

/// Other names under which criteria are known: `abic` `gml` `reml` (evidence), `press` `ocv` (loo), `tic` (nic). Results
/// carry the name of the criterion itself.
struct CriterionAlias {
  std::string_view name, criterion;
};
const std::vector<CriterionAlias>& criterion_aliases();

/// A criterion as asked for: "cv:5" is {cv, folds 5}, "gen:3" is {gen, lags 3}, "press" is {loo}.
struct CriterionRequest {
  Criterion criterion;
  std::string label;
  int folds = 10;
  int lags = 0;

  /// The number of folds where the label says one, else 0.
  int named_folds() const {
    return criterion.argument == Criterion::Argument::folds && label != criterion.name ? folds : 0;
  }
};
CriterionRequest find_criterion(std::string_view spec);

}  // namespace gnomon
