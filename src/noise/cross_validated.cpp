#include "least_score.hpp"
#include "methods.hpp"
#include "replicates.hpp"

namespace gnomon {

double cross_validated_variance(const NoiseContext& c) {
  const Index n = c.learner.rows();
  if (n < 2) return undefined;
  const Folds folds = unordered_folds(n, c.groups, 10, c.seed);
  const auto errors = c.learner.held_out(points_of(c.lambdas), c.target, folds, false, {});
  const auto best =
      least_score(errors, [](const HeldOut& e) { return (e.sum.array() / e.weight.array()).mean(); });
  const double repeats = replicates_of(c).freedom;
  return best && leaves_noise(c.counts[*best], repeats) ? residual_variance(c.counts[*best]) : undefined;
}

NoiseVariance cross_validated_noise(const NoiseContext& c) {
  return one_variance(cross_validated_variance(c));
}

}  // namespace gnomon
