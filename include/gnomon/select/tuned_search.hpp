#pragma once

#include <memory>

#include "gnomon/search/tune.hpp"
#include "gnomon/select/request.hpp"

namespace gnomon {

/// What a search over several regularization parameters found for one target.
struct TunedSearch {
  std::vector<Parameter> parameters;
  Vector chosen;                           ///< values of the parameters
  std::vector<Verdict> verdicts;           ///< of the chosen point
  Vector gamma;                            ///< γ_g of the chosen fit; NaN for widths
  Matrix points;                           ///< the way to the chosen point, one row of values each
  std::vector<SearchResult> of_criterion;  ///< in the order of the criteria; parameters are logarithms
  double gradient_norm = undefined;        ///< of the training cost, where training is iterative
  std::string training;                    ///< how training ended, in words; empty in closed form
  bool searched = true;                    ///< false: only values that were named were tried
};

/// Whether a request is served by such a search rather than along a path: mlp, `groups`, `search` gradient or mackay.
bool is_tuned(const SelectionRequest&);

/// The learner as a function of its parameters. `target` is one column of y, or −1 for all of them (a network).
std::unique_ptr<Learner> make_tunable(const TrainingData&, const SelectionRequest&, Index target);

}  // namespace gnomon
