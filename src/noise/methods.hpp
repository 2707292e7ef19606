#pragma once

// The estimates that are listed in noise.cpp and look at more than rows: at the learner and its path.

#include <string>

#include "gnomon/noise/noise.hpp"

namespace gnomon {

/// One method after the other until one is defined; see `noise_catalog`.
NoiseVariance automatic_noise(const NoiseContext&);
/// Whether residuals of a fit still hold noise: it has at most 0.8 degrees of freedom per distinct input, where `repeats`
/// observations repeat the inputs of others. Beyond, rss/(n − tr H) goes to 0 with λ whatever the noise, or is the spread
/// within the repeats alone.
bool leaves_noise(const Counts&, double repeats);
/// rss/(n − tr H) at each λ.
NoiseVariance residual_noise(const NoiseContext&);
/// Residual variance at the minimiser of GCV.
NoiseVariance gcv_noise(const NoiseContext&);
/// n rss/(n − 1.4 tr H)²: GCV that counts every degree of freedom as 1.4, which keeps it from undersmoothing (Kim & Gu,
/// J. R. Statist. Soc. B 66, 2004). Undefined where tr H reaches n/1.4.
double cautious_gcv_score(const Counts&);
/// Residual variance at its minimiser.
NoiseVariance cautious_gcv_noise(const NoiseContext&);
/// Residual variance at the minimiser of ten-fold cross-validation.
NoiseVariance cross_validated_noise(const NoiseContext&);
/// Scale of the evidence at its maximum; with an intercept it is the restricted one.
NoiseVariance evidence_noise(const NoiseContext&);
/// Least squares on the whole design.
NoiseVariance least_squares_noise(const NoiseContext&);

/// A variance so small against that of the target (10⁻¹² of it) that it cannot be told from rounding.
double rounding_variance(const NoiseContext&);

/// "" or why there is no evidence: a Gaussian model must stand behind the fit.
std::string lacks_evidence(const NoiseContext&);

}  // namespace gnomon
