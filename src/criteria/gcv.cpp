#include "gnomon/criteria/criteria.hpp"

namespace gnomon {

/// Generalized cross-validation (Craven & Wahba 1979): leave-one-out with every leverage replaced by the mean
/// one.
///   GCV = n rss / (n − tr H)²
/// Needs no noise variance. O(1) per λ once the counts are there.
constexpr Criterion gcv{
    .name = "gcv",
    .words = "generalized cross-validation",
    .estimates = "mean squared prediction error, noise included",
    .formula = CountsFormula([](auto a, const Given&) { return a.n * (a.rss / a.left) / a.left; }),
    .rests_on_divergence = true,
    .mean_leverage = true};

}  // namespace gnomon
