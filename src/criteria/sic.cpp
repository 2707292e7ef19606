#include "gnomon/criteria/criteria.hpp"

namespace gnomon {

/// The subspace information criterion (Sugiyama & Ogawa 2001; Sugiyama & Müller 2002). With U the metric, L
/// the learner and L_u = Φ⁺ giving the unbiased reference a_u,
///   SIC = ‖a‖²_U − 2⟨a, a_u⟩_U + 2σ² tr(U L L_uᵀ),      E SIC = E‖a − a*‖²_U − ‖a*‖²_U  exactly, for any n.
/// The constant ‖a*‖² is the same for all λ and is left out: the usual y'K⁺y term that carries it is
/// meaningless in double precision for smooth kernels. With an intercept, its own terms do not depend on λ and are left out too.
///
/// Learners that are not linear in y (Sugiyama 2007) get the same three parts: σ² tr(U L L_uᵀ) where they
/// are affine; σ² tr(U J L_uᵀ), J = ∂a/∂y, where they are almost differentiable, exact under Gaussian noise by Stein's
/// identity; and the bootstrap of `basic` where they jump. The curve says which one was taken.
constexpr Criterion sic{
    .name = "sic",
    .words = "the subspace information criterion",
    .estimates = "squared error of the fitted function in the metric, less a constant; noise excluded",
    .target = {.noise = Target::Noise::excluded, .where = Target::Where::in_metric, .less_a_constant = true},
    .formula = SicFormula([](auto a, const Given& g) {
      const bool bootstrapped = std::isnan(value_of(a.divergence)) && !std::isnan(value_of(a.covariance));
      return a.distance + 2 * (bootstrapped ? a.covariance : g.sigma2 * a.divergence);
    }),
    .needs_noise = true,
    .rests_on_divergence = true,
    .equal_to = "cp"};

/// The regularized SIC (after Sugiyama, Kawanabe & Müller 2004): the reference is ridge of degree γ, r = 1/(d + γ) in place
/// of 1/d. γ has the least unbiased estimate of the squared error of SIC itself at the λ with the least GCV, and is the same along
/// the path; γ = 0 is SIC. Trades a bias of SIC against its variance, which is large where the Gram is ill conditioned.
///   function space   Σ [ d x² z² − 2 d x r (z² − σ²) ]
///   training inputs  (1/n) Σ [ h² z² − 2 h d r (z² − σ²) ]
///   points           aᵀMa − 2aᵀM(r∘z) + 2σ² Σ M_ii x_i r_i
constexpr Criterion rsic{
    .name = "rsic",
    .words = "the regularized subspace information criterion",
    .estimates =
        "squared error of the fitted function in the metric, less a constant; noise excluded (biased)",
    .target = sic.target,
    .formula = sic.formula,
    .needs_noise = true,
    .rests_on_divergence = true,
    .reference = Criterion::Reference::regularized,
    .refuses = [](const Learner& learner, const Metric&) -> std::string {
      return learner.linear() ? ""
                              : "its regularized reference is made for ridge and its relatives without "
                                "importance weights; use sic";
    }};

/// SIC against the learner's own fit at a pilot λ (the GCV choice): its gain x_c in place of 1/d. Biased, and far less
/// variable where the Gram is ill conditioned. A rule of gnomon's own, without the published criterion for its degree.
///   function space   Σ [ d x² z² − 2x·d·x_c (z² − σ²) ]
///   training inputs  (1/n) Σ [ h² z² − 2h h_c (z² − σ²) ]
constexpr Criterion sic_pilot{
    .name = "sic-pilot",
    .words = "the subspace information criterion against a pilot fit",
    .estimates =
        "squared error of the fitted function in the metric, less a constant; noise excluded (biased)",
    .target = sic.target,
    .formula = sic.formula,
    .needs_noise = true,
    .rests_on_divergence = true,
    .reference = Criterion::Reference::pilot,
    .refuses = [](const Learner& learner, const Metric& metric) -> std::string {
      if (!learner.linear())
        return "its pilot reference is made for ridge and its relatives without importance weights; use sic";
      if (metric.kind == Metric::Kind::points)
        return "the pilot reference is made for function-space and train metrics";
      return "";
    }};

}  // namespace gnomon
