#pragma once

// The estimates that are listed in noise.cpp and look at more than rows: at the learner and its path.

#include <string>

#include "gnomon/noise/noise.hpp"

namespace gnomon {

/// One method after the other until one is defined; see `noise_catalog`.
NoiseVariance automatic_noise(const NoiseContext&);
/// rss/(n − tr H) at each λ.
NoiseVariance residual_noise(const NoiseContext&);
/// Residual variance at the minimiser of GCV.
NoiseVariance gcv_noise(const NoiseContext&);
/// Residual variance at the minimiser of ten-fold cross-validation.
NoiseVariance cross_validated_noise(const NoiseContext&);
/// Scale of the evidence at its maximum; with an intercept it is the restricted one.
NoiseVariance evidence_noise(const NoiseContext&);
/// Least squares on the whole design.
NoiseVariance least_squares_noise(const NoiseContext&);

/// "" or why there is no evidence: a Gaussian model must stand behind the fit.
std::string lacks_evidence(const NoiseContext&);

}  // namespace gnomon
