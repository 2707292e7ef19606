#include "gnomon/criteria/criteria.hpp"
#include "learn/lag_products.hpp"
#include "no_shift.hpp"

namespace gnomon {

/// Larsen's generalization error estimate for regularized models (1992; Larsen & Hansen 1994), with dependence over M rows:
///
///   GEN = S + tr(J⁻¹L)/n − (A/n) R'ᵀJ⁻¹R',     A = 2M + 1 − M(M+1)/n
///
/// S the mean training loss l_k, s_k = ∇l_k, L = (1/n) Σ_{|i|≤M} Σ_k s_k s_{k+i}ᵀ, J the Hessian of the regularized cost and
/// R' the gradient of its penalty (λ/n)‖a‖². For ridge, l = e² and with the hat matrix H (1/n of the intercept in it)
///
///   GEN = S + (2/n) Σ_{|i|≤M} Σ_k e_k e_{k+i} H_{k,k+i} − (2A/n²) eᵀHe,         eᵀHe = Σ g²h z²
///
/// For Huber with ridge, l = 2ρ_τ(u) (squared error for τ → ∞): e becomes ψ_τ(u) and H_kl = φ̃_kᵀ(Φ̃_SᵀW_SΦ̃_S + λI′)⁻¹φ̃_l,
/// S the rows within τ; undefined where that matrix is singular
/// or the minimiser not unique. A weight repeats the row, and goes with M = 0 only.
/// Tends to 0 with S near interpolation, so it chooses among fits with df ≤ 0.8 n only.
/// Cost per λ: that of leave-one-out, (M + 1)-fold; Huber O(n q² + q³) for a design of rank q.
constexpr Criterion gen{
    .name = "gen",
    .words = "the GEN estimate",
    .estimates = "expected training loss on new rows, noise included (squared error; Huber's loss for huber)",
    .formula = ScoresFormula([](auto a, const Given& g) {
      return (a.loss + 2 * a.products) / a.n - 2 * lag_count(g.lags, a.n) / (a.n * a.n) * a.stationarity;
    }),
    .own_loss = true,
    .argument = Criterion::Argument::lags,
    .most_df = most_df_in_sample,
    .refuses = no_shift};

}  // namespace gnomon
