#pragma once

#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

/// The marginal likelihood as a criterion; see minus_two_log_evidence for the formula.
/// Huber with ridge: likelihood Π exp(−β 2ρ_τ(u))/Z, prior exp(−βλ‖a‖²) and a flat constant, integrated by Laplace's method
/// about the fit. With F the objective Σ w 2ρ_τ + λ‖a‖², q = 1 with an intercept, else 0, and t = τ√β,
///   2βF − (n−q) log β + 2n log ζ(t) − q log π + log |G|/λ^p,    Z = ζ(t)/√β,  ζ = √π erf t + e^(−t²)/t,
/// at the best β, the only root of 2βF = n − q + n e^(−t²)/(t ζ(t)). τ → ∞ gives the value of ridge; different τ compare.
/// Undefined at λ = 0 (no prior), and where G is singular.
CriterionCurve log_evidence(const CriterionContext&);
std::string no_evidence(const Learner&, const Metric&);

inline constexpr Criterion evidence{
    .name = "evidence",
    .estimates = "minus twice the log marginal likelihood (no prediction error)",
    .kind = [](const Metric&) { return ErrorKind::log_evidence; },
    .needs_noise = false,
    .needs_leave_one_out = false,
    .undefined_for = no_evidence,
    .evaluate = log_evidence};

}  // namespace gnomon
