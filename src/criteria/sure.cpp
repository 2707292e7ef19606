#include "gnomon/criteria/criteria.hpp"

namespace gnomon {

/// Stein's unbiased risk estimate (1981) of the in-sample risk (1/n) E‖f̂ − f‖²: for a linear smoother
///   SURE = rss/n − σ² + 2σ² tr H/n = C_L − σ².
constexpr Criterion sure{
    .name = "sure",
    .words = "Stein's unbiased risk estimate",
    .estimates = "mean squared error of the fitted function at the training inputs, noise excluded",
    .target = {.noise = Target::Noise::excluded, .where = Target::Where::at_training_inputs},
    .formula =
        CountsFormula([](auto a, const Given& g) { return (a.rss + 2 * g.sigma2 * a.df) / a.n - g.sigma2; }),
    .deviation = in_sample_deviation,
    .needs_noise = true,
    .rests_on_divergence = true,
    .equal_to = "cp"};

}  // namespace gnomon
