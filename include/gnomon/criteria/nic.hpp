#pragma once

#include "gnomon/criteria/gen.hpp"

namespace gnomon {

/// Murata, Yoshizawa and Amari's network information criterion (1994), S + tr(J⁻¹ Cov s)/n: for independent rows. Since the
/// scores of a regularized fit have mean −R', this is GEN with M = 0, the same number.
inline constexpr Criterion nic{
    .name = "nic",
    .estimates = gen.estimates,
    .kind = prediction_kind,
    .needs_noise = false,
    .needs_leave_one_out = true,
    .undefined_for = needs_smooth_cost,
    .evaluate = [](const CriterionContext& c) { return generalization_error(c, 0); },
    .most_df = most_df_in_sample};

}  // namespace gnomon
