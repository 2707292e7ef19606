#pragma once

#include "learn/lag_products.hpp"
#include "learn/ridge_groups/grouped_ridge.hpp"
#include "reference/estimate.hpp"

namespace gnomon::reference {

/// How products of scores n samples apart enter L = K(0) + Σ_{n=1..M} c_n (K_n + K_n'), K_n = (1/N) Σ s_k s_{k+n}'.
enum class LagWindow {
  corrected,  ///< c_n = 1, A = 2M+1 − M(M+1)/N. m_eff may be negative and is reported so.
  paper,      ///< as printed: c_n = (N−n)/N, A = M+1 − M(M+1)/(2N); counts the lags on one side only
  bartlett    ///< c_n = 1 − n/(M+1), A = M+1; L is positive semidefinite
};

struct GenOptions {
  Index lags = 0;  ///< M, the length of the dependence between samples
  LagWindow window = LagWindow::corrected;
  bool gradient = true;
  SlopesBy slopes_by = SlopesBy::log_kappa;
};

/// Γ = S + m_eff/N − (A/N) R'ᵀJ⁻¹R', m_eff = tr(J⁻¹L).
struct GenEstimate : HyperEstimate {
  /// tr(J⁻¹L). For squared error it carries a factor of about 2σ²: not a number of parameters, see `gamma`.
  double m_eff = undefined;
  double penalty_term = undefined;  ///< (A/N) R'ᵀJ⁻¹R'
  double lag_count = undefined;     ///< A
  double gamma = undefined;         ///< tr(HJ⁻¹)
  /// Sigurdsson, Larsen & Hansen's eq. (14) in log κ, the gradient with ŵ held in L, D³S and R': for comparison only, it
  /// is not the gradient of the value.
  Vector gradient_eq14;
};

/// c_0 = 1, c_1, …, c_M.
Vector lag_weights(const GenOptions&, Index samples);
/// A.
double lag_count(const GenOptions&, Index samples);

}  // namespace gnomon::reference
