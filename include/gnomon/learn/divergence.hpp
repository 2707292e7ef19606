#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Which form of the Stein term to take.
enum class Divergence {
  best,  ///< the exact one where the learner has a formula, else Monte Carlo
  exact,
  monte_carlo
};

/// A learner as a function of y alone: its parameters θ, or its fitted values.
using FitFunction = std::function<Vector(const Vector& y)>;
/// e ↦ U L_u e, what is paired with the parameters: ⟨θ, L_u e⟩_U = θᵀ(U L_u e). Linear.
using Pairing = std::function<Vector(const Vector& e)>;

/// Directions in which the learner is differenced: entries ±1, one column per probe.
Matrix random_probes(Index rows, int probes, std::uint64_t seed);

/// Monte-Carlo estimate of tr(U J W⁻¹ L_uᵀ), J = ∂θ/∂y, by differences along probes b (Ramani, Blu & Unser 2008):
///   mean_b ⟨θ(y + ε W^(−1/2) b) − θ(y), L_u W^(−1/2) b⟩_U / ε,        or the central difference over 2ε.
/// Unbiased over the probes up to O(ε); exact per probe, for any ε, where the learner is linear. The pairing with
/// Φᵀ gives degrees of freedom. Cost: one refit per probe (central: two).
double monte_carlo_divergence(const FitFunction& learner, const Pairing& pairing, const VectorView& y,
                              const VectorView& weight, const MatrixView& probes, double step,
                              bool central = false);

/// A step at which differences of a solver that is exact to 1e-10 keep six digits, small against the noise.
double divergence_step(const VectorView& y);

}  // namespace gnomon
