#pragma once

#include "gnomon/core/progress.hpp"
#include "gnomon/criteria/criterion.hpp"
#include "gnomon/search/minimise.hpp"

namespace gnomon {

struct TuneOptions {
  std::vector<Vector> starts{};  ///< log-parameters to begin at; empty = those of `tuning_starts`
  /// To begin at as well, where `starts` is empty: the choice of another criterion leads out of poor local minima.
  std::vector<Vector> more_starts{};
  int max_evaluations = 200;  ///< of each start
};

/// Where a search begins. All decays are moved together from 1e-6 to 1e3 of their units (one parameter: through its whole
/// range, four points a decade, since curves of one λ often have two minima), with widths at their units and once more at a
/// third of them, where a kernel can still see fast changes; the lowest local minima of the criterion along these lines are
/// the starts, at most three, or one where every evaluation trains a network. O(line) evaluations without gradients.
std::vector<Vector> tuning_starts(const Learner&, const GivenCriterion&, const Progress& = {});

/// Minimises a criterion over all parameters. A point with γ > 0.8 n is not taken for an in-sample estimate, which tends to
/// zero with the training error there. Throws if the criterion is undefined at every start.
SearchResult tune(const Learner&, const GivenCriterion&, const TuneOptions& = {}, const Progress& = {});

/// MacKay's updates of the evidence instead, from the first of `starts` or where the evidence is highest along the common line. The
/// learner's parameters are decays.
SearchResult tune_by_mackay(const Learner&, const TuneOptions& = {}, const Progress& = {});

}  // namespace gnomon
