#pragma once

#include "reference/gen_options.hpp"

namespace gnomon::reference {

/// Decays on every weight, all κ > 0, and N ≤ p: there J⁻¹ grows like 1/κ and cancels against scores that vanish like κ.
bool is_wide(const GroupedRidge&, const VectorView& kappa);

/// GEN of such a ridge with any window of lags, from the hat matrix: with XD^−½ = UsV' per output, f = s²/(s² + N), g = N/(s² + N),
///   A = UfU',  e = UgU'y,  Z = XB⁻¹ = U(gs)V'D^−½,  L_kl = c_|k−l|,
///   loss = e'e,  products = e'(A∘L)e,  stationarity = e'Ae,
/// Γ = loss/N + 2 products/N − (2A/N²) stationarity. Slow: N×N matrices of every group.
GenEstimate wide_gen(const GroupedRidge&, const VectorView& kappa, const GenOptions&);

}  // namespace gnomon::reference
