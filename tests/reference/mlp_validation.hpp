#pragma once

#include <optional>
#include <string>
#include <vector>

#include "learn/mlp/cost.hpp"
#include "learn/mlp/validation.hpp"

namespace gnomon::reference {

struct MlpCrossValidation {
  std::optional<double> value;  ///< mean over folds of the mean loss of the fold
  Vector gradient;              ///< with respect to log κ
  std::vector<MlpFit> fits;     ///< trained without the fold, its cost normalised by its own rows
  std::string status;
};

/// K-fold cross-validation. Folds start from `start` (one deterministic path, which follows the minimum when κ
/// moves); an empty start means restarts in every fold.
MlpCrossValidation mlp_cross_validation(const MlpCost& cost, const std::vector<std::vector<Index>>& folds,
                                        const VectorView& start, const MlpTrainOptions& options = {});

/// Leave-one-out by one Newton step from ŵ on every reduced cost,
///   w_(k) = ŵ + [(NH − h_k)/(N−1) + 2D]⁻¹ (R' + s_k)/(N−1),  h_k = ∇²ℓ_k; exact for linear models with squared loss.
/// Cost: N factorisations of p×p. Nothing where a reduced Hessian is singular.
std::optional<double> mlp_approximate_loo(const MlpCost& cost, const VectorView& w);

}  // namespace gnomon::reference
