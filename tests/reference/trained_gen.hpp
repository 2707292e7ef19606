#pragma once

#include "reference/gen_options.hpp"
#include "trained_model.hpp"

namespace gnomon::reference {

/// GEN (Larsen 1992) of any trained model. At M = 0 the scores are centred, which contains the last term: the two
/// together are tr(J⁻¹Cov(s))/N. Gradient exact: product rule through ŵ(κ), L, J and R'.
/// Cost: O(Np² + p³), with the gradient O(groups·(Np + p²)) more and one call of each derivative per group.
GenEstimate gen(const TrainedModel&, const GroupedPenalty&, const VectorView& kappa, const GenOptions& = {});

/// Murata, Yoshizawa and Amari's network information criterion S + tr(J⁻¹Cov(s))/N: GEN of independent samples.
inline GenEstimate nic(const TrainedModel& model, const GroupedPenalty& penalty, const VectorView& kappa,
                       bool gradient = true) {
  return gen(model, penalty, kappa, {.lags = 0, .gradient = gradient});
}

}  // namespace gnomon::reference
