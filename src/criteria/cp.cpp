#include "gnomon/criteria/criteria.hpp"

namespace gnomon {

/// Mallows' C_L: the in-sample prediction error (Mallows 1973),
///   C_L = (rss + 2σ² tr H)/n,     E C_L = (1/n) E‖f̂ − f‖² + σ².
/// Exactly unbiased for every fixed linear smoother and any noise law with known σ².
constexpr Criterion cp{
    .name = "cp",
    .words = "Mallows' C_L",
    .estimates = "mean squared prediction error at the training inputs, noise included",
    .target = {.where = Target::Where::at_training_inputs},
    .formula = CountsFormula([](auto a, const Given& g) { return (a.rss + 2 * g.sigma2 * a.df) / a.n; }),
    .deviation = in_sample_deviation,
    .needs_noise = true,
    .rests_on_divergence = true};

}  // namespace gnomon
