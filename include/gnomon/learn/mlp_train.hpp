#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/core/progress.hpp"
#include "gnomon/learn/mlp.hpp"

namespace gnomon {

class MlpCost;

struct MlpTrainOptions {
  double tolerance = 1e-10;   ///< the certificate: |∇C|∞ ≤ tolerance·max(1, C)
  int restarts = 5;           ///< starts from independent random weights; the lowest cost is kept
  std::uint64_t seed = 1;     ///< start r draws from Random(seed, r)
  int max_iterations = 2000;  ///< per start
  Index dense_limit = 2000;   ///< more weights than this: no dense Hessian
  int max_escapes = 20;       ///< steps off saddle points, per start
};

/// What the end of training is.
enum class MlpOutcome {
  minimum,  ///< the certificate holds and the Hessian of C is positive definite
  flat,     ///< the certificate holds, some direction has no curvature: the weights are not identified
  saddle,   ///< the certificate holds, negative curvature is left
  iteration_limit,  ///< the certificate does not hold
  unbounded         ///< the weights grow without limit: the cost has no minimum
};
/// For messages only; whoever decides by the outcome asks the enum.
std::string_view in_words(MlpOutcome);

struct MlpUnit {
  Index layer, unit;
};

struct MlpFit {
  Mlp model;
  double cost = 0, error = 0;  ///< C and S
  double gradient_norm = 0;    ///< |∇C|∞
  int iterations = 0, escapes = 0;
  int restart = 0;  ///< which start won
  MlpOutcome outcome = MlpOutcome::iteration_limit;
  std::vector<MlpUnit> dead_units;  ///< hidden units that pass nothing on, or only a constant
  std::string status;               ///< the outcome in words, with its figures
  Vector restart_costs;

  bool converged() const {
    return outcome != MlpOutcome::iteration_limit && outcome != MlpOutcome::unbounded;
  }
};

/// Weights of start `restart`: normal with variance 1/fan-in (inputs are expected to be of unit size).
Vector mlp_start(const MlpShape& shape, std::uint64_t seed, int restart);

/// Minimises C from the given weights. Up to `dense_limit` weights by damped Newton steps, on the Gauss–Newton
/// Hessian far away and on the exact one after (quadratic convergence); with more than a hundred weights L-BFGS around
/// factorised Hessians, each serving thirty steps, goes first. Above, by L-BFGS around an inverse of the Gauss–Newton
/// Hessian, then trust-region Newton–CG with exact products and the same inverse. Saddles are left along negative
/// curvature.
MlpFit mlp_train_from(const MlpCost& cost, const VectorView& start, const MlpTrainOptions& options = {});

/// The best of `restarts` starts: converged before not converged, then the lowest cost.
MlpFit mlp_train(const MlpCost& cost, const MlpTrainOptions& options = {}, const Progress& progress = {});

std::vector<MlpUnit> mlp_dead_units(const MlpShape& shape, const VectorView& w);

}  // namespace gnomon
