#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "linear/linear_experiment.hpp"
#include "linear/ridge_schemes.hpp"

namespace gnomon::app {

// The cost of choosing κ on a data set of the linear experiment of Sigurdsson, Larsen & Hansen (2000): 40 rows, 10 inputs.

inline constexpr Index cost_rows = 40, cost_inputs = 10, cost_folds = 10;
/// Steps after which a search is given up.
inline constexpr double step_limit = 20000;

struct CostSample {
  Matrix x;
  Vector y;
};

/// As in the linear experiment: x = Az, y = z'w° + ε, σ² = 3·NSR.
CostSample cost_sample(experiments::Spread spread, double noise_to_signal, std::uint64_t seed, Index trial);

// Steps from the mean eigenvalue until κ stands still, infinite where the limit does not suffice. Descent is κ ← max(0, κ − ηΓ'(κ))
// with the best of 17 rates η, half a decade apart, for the data set at hand: the most that can be said for it. It ends where
// |dΓ/d log κ| ≤ 10⁻⁶ Γ, or at κ = 0 if Γ rises from there.
double descent_steps_of_gen(const experiments::SpectralRidge& ridge);  ///< along equation (14)
double descent_steps_of_loo(const experiments::SpectralRidge& ridge);
/// The evidence's updates end where log κ changes by at most 10⁻⁶, or κ leaves for infinity.
double evidence_steps(const experiments::SpectralRidge& ridge);

/// Largest difference, over its size, between leave-one-out by 40 trainings, in closed form and by the spectrum.
double loo_difference(const CostSample& sample, const experiments::SpectralRidge& ridge);

/// Schemes whose steps are counted.
enum class CountedScheme { gen, loo, evidence };

/// One step of a scheme, in operations.
struct StepCost {
  const char* scheme;
  Index trainings;  ///< what it should be
  experiments::Work work;
  std::optional<CountedScheme> search{};  ///< whose steps its search takes, where they are counted
};

/// Of every scheme.
std::vector<StepCost> step_costs(std::uint64_t seed);
/// Of one training on all rows: the unit.
double training_flops();

}  // namespace gnomon::app
