#include "gnomon/decompose/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gnomon {

double default_range_tolerance(Index n) {
  return static_cast<double>(std::max<Index>(n, 1)) * std::numeric_limits<double>::epsilon();
}

SpectrumScales spectrum_scales(const Spectrum& s) {
  const double rounding = default_range_tolerance(s.values.size());
  const double floor = (s.resolved ? rounding * rounding : rounding) * s.top();
  return {s.top(), s.values.sum(), floor > 0 ? (s.values.array() + floor).inverse().sum() : 0};
}

bool in_range(const Spectrum& s, const Filter& filter, double d, double lambda) {
  if (lambda > 0) return s.range_tolerance < 0 || filter.whole_range || d > s.range_tolerance * s.top();
  // At λ = 0 the gain is 1/d whatever the learner, so rounding of the Gram decides what is range.
  if (s.resolved) return true;
  return d > std::max(s.range_tolerance, default_range_tolerance(s.values.size())) * s.top();
}

FilterValue filter_at(const Spectrum& s, const Filter& filter, double d, double lambda) {
  return in_range(s, filter, d, lambda) ? filter.value(d, lambda, s.top()) : FilterValue{0, 1};
}

std::vector<SpectralSums> spectral_sums(const Spectrum& s, const Filter& filter,
                                        std::span<const double> lambdas, Index target) {
  std::vector<SpectralSums> all;
  all.reserve(lambdas.size());
  const double top = s.top();
  for (const double lambda : lambdas) {
    SpectralSums sum;
    sum.lambda = lambda;
    sum.df = s.fixed;
    sum.g = sum.g2 = sum.g4 = s.outside_directions();
    sum.z2g = sum.z2g2 = sum.z2g4 = s.outside[target];
    if (!filter.log_prior_ratio) sum.log_prior_ratio = std::numeric_limits<double>::quiet_NaN();
    for (Index i = 0; i < s.values.size(); ++i) {
      const double d = s.values[i], z2 = s.squared(i, target);
      const bool range = in_range(s, filter, d, lambda);
      const FilterValue f = range ? filter.value(d, lambda, top) : FilterValue{0, 1};
      const double g = f.complement, x = f.gain, g2 = g * g;
      sum.g += g;
      sum.g2 += g2;
      sum.g4 += g2 * g2;
      sum.z2g += g * z2;
      sum.z2g2 += g2 * z2;
      sum.z2g4 += g2 * g2 * z2;
      if (!range) continue;
      if (filter.log_prior_ratio) sum.log_prior_ratio += filter.log_prior_ratio(d, lambda);
      const double h = d * x, a = (h - 2) * x;
      sum.df += h;
      sum.x += x;
      sum.xz2 += x * z2;
      sum.dx2z2 += h * x * z2;
      sum.a2 += a * a;
      sum.a2z2 += a * a * z2;
    }
    all.push_back(sum);
  }
  return all;
}

}  // namespace gnomon
