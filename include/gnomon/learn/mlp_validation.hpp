#pragma once

#include <optional>

#include "gnomon/learn/mlp_train.hpp"

namespace gnomon {

struct MlpValidation {
  std::optional<double> value;  ///< mean loss on the held-out rows
  Vector gradient;              ///< with respect to log κ; empty where the weights are no minimum
  std::string status;           ///< trouble in words, else empty
};

/// S_V(ŵ) and dS_V/dlog κ_g = −2κ_g (P_gŵ)ᵀJ⁻¹∇S_V(ŵ), J the exact Hessian of the training cost: one solve for all
/// groups, dense up to `dense_limit` weights and by conjugate gradients above.
MlpValidation mlp_validation(const MlpCost& training, const VectorView& w, const MlpCost& held_out,
                             Index dense_limit = 2000);

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

}  // namespace gnomon
