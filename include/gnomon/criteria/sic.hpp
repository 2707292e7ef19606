#pragma once

#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

/// The subspace information criterion (Sugiyama & Ogawa 2001; Sugiyama & Müller 2002). With U the metric, L
/// the learner and L_u = Φ⁺ giving the unbiased reference a_u,
///   SIC = ‖a‖²_U − 2⟨a, a_u⟩_U + 2σ² tr(U L L_uᵀ),      E SIC = E‖a − a*‖²_U − ‖a*‖²_U  exactly, for any n.
/// The constant ‖a*‖² is the same for all λ and is left out: the usual y'K⁺y term that carries it is
/// meaningless in double precision for smooth kernels. In the eigenbasis, z = coordinates of y, x = gain:
///   function space   Σ [ d x² z² − 2x(z² − σ²) ]                       O(1) per λ from the spectral sums
///   training inputs  (1/n) Σ [ h² z² − 2h(z² − σ²) ],  h = d x         (C_L less ‖y‖²/n)
///   points           aᵀMa − 2aᵀM(z/d) + 2σ² Σ M_ii x_i/d_i,  a = x∘z    O(rank²) per λ
/// With an intercept, its own terms do not depend on λ and are left out too.
///
/// Learners that are not linear in y (Sugiyama 2007) get the same three parts from SicFrame: σ² tr(U L L_uᵀ) where they
/// are affine; σ² tr(U J L_uᵀ), J = ∂a/∂y, where they are almost differentiable, exact under Gaussian noise by Stein's
/// identity; and the bootstrap of `basic` where they jump. The curve says which one was taken.
CriterionCurve subspace_information(const CriterionContext&);

/// Σ_R (z² − σ²)/d, which added to the function-space form gives SIC itself, E SIC = E‖f̂ − f_S‖²; only where
/// the Gram is so well conditioned that the sum has digits.
std::optional<double> sic_constant(const Spectrum&, Index target, double sigma2);

inline ErrorKind sic_kind(const Metric& metric) {
  return metric.kind == Metric::Kind::function_space ? ErrorKind::function_space : ErrorKind::prediction;
}

/// Why the SIC family has no metric or no reference for a learner; empty if it has.
std::string sic_undefined(const Learner&, const Metric&);

inline constexpr Criterion sic{
    .name = "sic",
    .estimates = "squared error of the fitted function in the metric, less a constant; noise excluded",
    .kind = sic_kind,
    .needs_noise = true,
    .needs_leave_one_out = false,
    .undefined_for = sic_undefined,
    .evaluate = subspace_information};

}  // namespace gnomon
