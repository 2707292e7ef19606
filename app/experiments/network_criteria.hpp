#pragma once

#include <vector>

#include "followed_minimum.hpp"
#include "gnomon/criteria/criterion.hpp"
#include "learn/mlp/cost.hpp"

namespace gnomon::app {

// Criteria of a network at a minimum of its cost, with exact gradients in log κ. A value that is not finite, or no gradient, means
// that the point cannot be used. `kind` is the Hessian in the criterion; dŵ/dκ always comes from the exact one.

Estimate gen_of(const FollowedMinimum::Point& at, MlpHessian kind);
/// −log evidence at the best β.
Estimate evidence_of(const FollowedMinimum::Point& at, MlpHessian kind);
/// Counts from the Gauss–Newton Hessian, whose derivative along dŵ/dκ enters the gradient.
Estimate fper_of(const FollowedMinimum::Point& at);

/// Mean over folds of the mean squared error of the rows held out. Each fold has a network of its own, its cost normalised by its
/// own rows, that starts from the network of all rows and is followed along κ.
class FoldError {
 public:
  FoldError(const MlpCost& cost, const std::vector<std::vector<Index>>& folds,
            const MlpTrainOptions& options);

  Estimate operator()(const FollowedMinimum::Point& whole);

 private:
  std::vector<FollowedMinimum> networks_;
  std::vector<MlpCost> held_;
};

}  // namespace gnomon::app
