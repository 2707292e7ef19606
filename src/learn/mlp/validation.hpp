#pragma once

#include <optional>

#include "cost.hpp"
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

}  // namespace gnomon
