#pragma once

#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

/// Generalized cross-validation (Craven & Wahba 1979): leave-one-out with every leverage replaced by the mean
/// one.
///   GCV = n rss / (n − tr H)²
/// Needs no noise variance. O(1) per λ once the spectral sums are there.
inline constexpr Criterion gcv{.name = "gcv",
                               .estimates = "mean squared prediction error, noise included",
                               .kind = prediction_kind,
                               .needs_noise = false,
                               .needs_leave_one_out = false,
                               .undefined_for = needs_degrees_of_freedom,
                               .evaluate = [](const CriterionContext& c) {
                                 return at_each_lambda(c, [](const SpectralSums& s, double, double n) {
                                   return Estimate{n * s.z2g2 / (s.g * s.g)};
                                 });
                               }};

}  // namespace gnomon
