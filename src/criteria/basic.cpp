#include "gnomon/criteria/criteria.hpp"

namespace gnomon {

/// BASIC, the bootstrap approximated SIC (Sugiyama 2007, §4.3): SIC with its covariance term by residual bootstrap.
///   BASIC = ‖a‖²_U − 2⟨a, a_u⟩_U + 2 mean_b ⟨a(f̂ + e^b), L_u e^b⟩_U
/// Asks nothing of the learner but refitting, and no noise variance. Never exact: near the best fit its bias is up to about half
/// of the covariance term, of either sign; far too stiff fits get far too much, since their residuals hold signal. For
/// smoothers with an intercept the mean over all replications is known, σ² being
/// the residuals' own mean square rss/n at each λ, so nothing is simulated. An interpolant leaves no residuals to draw from, so it
/// chooses among fits with df ≤ 0.8 n only.
constexpr Criterion basic{
    .name = "basic",
    .words = "the bootstrap approximated subspace information criterion",
    .estimates =
        "squared error of the fitted function in the metric, less a constant; noise excluded (bootstrap)",
    .target = {.noise = Target::Noise::excluded, .where = Target::Where::in_metric, .less_a_constant = true},
    .formula = SicFormula([](auto a, const Given&) { return a.distance + 2 * a.covariance; }),
    .covariance = Criterion::Covariance::bootstrap,
    .most_df = most_df_in_sample,
    .refuses = [](const Learner& learner, const Metric&) -> std::string {
      if (learner.linear() && !learner.intercept())
        return "a linear learner has the exact trace term, and without an intercept its residuals have no "
               "mean of zero; use sic";
      return "";
    }};

}  // namespace gnomon
