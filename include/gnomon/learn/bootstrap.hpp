#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gnomon/core/progress.hpp"
#include "gnomon/learn/divergence.hpp"

namespace gnomon {

/// The residual bootstrap of BASIC (Sugiyama 2007, §4.3). Default: residuals as they are, as printed there.
struct BootstrapOptions {
  int replications = 200;
  bool centred = false;   ///< remove the residuals' mean first (it is 0 with an intercept and squared loss)
  bool rescaled = false;  ///< multiply by √(n/(n − df)): residuals are smaller than the noise
};

/// Fills in which residual each row gets in a replicate.
using Resampling = std::function<void(Index replicate, std::vector<Index>& rows)>;
/// Independent draws with replacement; replicate b uses stream b of the seed, whatever thread computes it.
/// With weights a row is drawn in proportion to its weight, as if it were written that many times.
Resampling random_resampling(std::uint64_t seed, const VectorView& weight = Vector());

/// A path of fits to be judged, one per λ. Every replicate draws the same rows at all λ and walks along the path, each
/// refit near the one before.
struct BootstrapPath {
  /// Starts a replicate: a function from (place on the path, y) to θ there, called for the places from last to first.
  using Walk = std::function<Vector(std::size_t place, const Vector& y)>;
  std::function<Walk()> start;
  Pairing pairing;             ///< e ↦ U L_u e
  std::vector<Vector> fitted;  ///< per place, at the training rows
  std::vector<Vector>
      residual;     ///< per place, treated as the options say; not finite: the term is undefined there
  Vector weight{};  ///< empty = ones: row i then has noise of variance σ²/w_i
  /// Leave the intercept's own term out, as SIC does: the reference sees e less its mean.
  bool intercept = false;
};

/// The bootstrap estimate of E⟨θ, L_u e⟩_U at each place:  mean_b ⟨θ(f̂ + e^b), L_u e^b⟩_U,  e^b drawn from the residuals.
/// With an intercept e^b has mean zero, and the sample covariance Σ_b ⟨θ_b − θ̄, L_u e^b⟩/(B − 1) is taken, which has the
/// same expectation and a fraction of the simulation error.
/// Biased in general: by up to about half of the term near the best fit, in either direction, and without bound where the
/// fit is so stiff that its residuals hold signal. Cost: one refit per replication and place, in parallel; sums have a
/// fixed order.
Vector bootstrap_covariance(const BootstrapPath&, const Resampling&, int replications,
                            const Progress& progress = {});

/// The same for one fit.
struct BootstrapProblem {
  FitFunction learner;  ///< y ↦ θ
  Pairing pairing;      ///< e ↦ U L_u e
  Vector fitted, residual;
  Vector weight{};
  bool intercept = false;
};
double bootstrap_covariance(const BootstrapProblem&, const Resampling&, int replications);

/// Residuals centred and rescaled as the options say; `df` is needed for rescaling only.
Vector treated_residuals(Vector residual, const VectorView& weight, double df, const BootstrapOptions&);

}  // namespace gnomon
