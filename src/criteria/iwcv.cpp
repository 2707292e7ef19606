#include "gnomon/criteria/criteria.hpp"

namespace gnomon {

/// Importance-weighted cross-validation (Sugiyama, Krauledat & Müller 2007): K-fold cross-validation with every held-out
/// squared error times w_i = p_test/p_train (not the flattened weight of the fit), over the mean of the w_i taken in the same
/// way. The denominator is the same for every fit, so that the minimum is that of the published form, and weights known up
/// to a factor give the same numbers. Almost unbiased for the error at the test inputs.
constexpr Criterion iwcv{
    .name = "iwcv",
    .words = "importance-weighted cross-validation",
    .estimates = "mean squared prediction error at the test inputs, noise included",
    .target = {.where = Target::Where::at_test_inputs},
    .formula = FoldMean{.by_importance = true},
    .argument = Criterion::Argument::folds,
    .partition = Criterion::Partition::random,
    .refuses = [](const Learner& learner, const Metric&) -> std::string {
      if (learner.is_shifted()) return "";
      return "it needs importance weights: `importance`, or `learner` iwls with a weight column";
    }};

}  // namespace gnomon
