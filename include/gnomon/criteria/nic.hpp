#pragma once

#include "gnomon/criteria/gen.hpp"

namespace gnomon {

/// Murata, Yoshizawa and Amari's network information criterion (1994), S + tr(J⁻¹ Cov s)/n: for independent rows. Since the
/// scores of a regularized fit have mean −R', this is GEN with M = 0, the same number.
inline constexpr Criterion nic{.name = "nic",
                               .words = "the network information criterion",
                               .estimates = gen.estimates,
                               .formula = ScoresFormula([](auto a, const Given&) {
                                 return (a.loss + 2 * a.products) / a.n - 2 / (a.n * a.n) * a.stationarity;
                               }),
                               .own_loss = true,
                               .most_df = most_df_in_sample,
                               .same_as = "gen"};

}  // namespace gnomon
