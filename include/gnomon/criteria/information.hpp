#pragma once

#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

/// −2 log-likelihood of Gaussian errors with its variance profiled out: n log(2π rss/n) + n.
/// Undefined for a fit without residual: the likelihood has no maximum there.
inline double minus_two_log_likelihood(const SpectralSums& s, double n) {
  constexpr double two_pi = 6.283185307179586;
  return s.z2g2 > 0 ? n * std::log(two_pi * s.z2g2 / n) + n : undefined;
}

/// Parameters of a smoother: its degrees of freedom and the variance.
inline double parameter_count(const SpectralSums& s) { return s.df + 1; }

}  // namespace gnomon
