#pragma once

#include <cmath>

#include "gnomon/decompose/spectrum.hpp"

namespace gnomon {

/// −2 log marginal likelihood of the Gaussian model whose posterior mean is the fit, noise scale profiled out
/// (Wahba 1985; MacKay 1992; ABIC up to a constant). With q = 1 if an intercept was projected out, else 0,
///   (n−q)(log 2πs² + 1) + Σ log(1 + m_i/λ) + q log n,    s² = Σ z_i² g_i/(n−q),
/// which is the restricted likelihood (REML) with an intercept.
inline double minus_two_log_evidence(const SpectralSums& s, double n, double fixed) {
  constexpr double two_pi = 6.283185307179586;
  const double free = n - fixed, s2 = s.z2g / free;
  if (!(s2 > 0) || !(free > 0)) return undefined;
  return free * (std::log(two_pi * s2) + 1) + s.log_prior_ratio + (fixed > 0 ? fixed * std::log(n) : 0);
}

}  // namespace gnomon
