#include "gnomon/criteria/criteria.hpp"

namespace gnomon {

/// Shimodaira's information criterion for weighted fits (2000), in units of the squared error. With r_i = p_test/p_train,
/// fit weights w_i (a power of r_i), residuals e_i and the leverages h_i = w_i φ_iᵀ(Φᵀ W Φ + λI)⁻¹φ_i of the weighted fit,
///
///   IWAIC = Σ r e² (1 + 2h) / Σ r,
///
/// the weighted training error and twice tr(J⁻¹I), I the covariance of the gradient of the loss at the test inputs and that
/// of the fit. A shift v of the targets (additive) makes r e² h into r e(e + v) h. To first order the importance-weighted
/// leave-one-out error, and almost unbiased as n grows, also where the model is wrong; no noise variance is needed.
/// Tends to 0 with the training error near interpolation, so it chooses among fits with df ≤ 0.8 n only. Cost: leverages.
constexpr Criterion iwaic{
    .name = "iwaic",
    .words = "the importance-weighted information criterion",
    .estimates = "mean squared prediction error at the test inputs, noise included",
    .target = {.where = Target::Where::at_test_inputs},
    .formula = ScoresFormula([](auto a, const Given&) { return (a.loss + 2 * a.products) / a.n; }),
    .most_df = most_df_in_sample,
    .refuses = [](const Learner& learner, const Metric&) -> std::string {
      return learner.is_shifted()
                 ? ""
                 : "it needs importance weights: `importance`, or `learner` iwls with a weight column";
    }};

}  // namespace gnomon
