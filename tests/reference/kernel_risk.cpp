#include "kernel_risk.hpp"

namespace gnomon::reference {

KernelRisk kernel_risk_of(const Smoother& noise_free, std::span<const double> lambdas, double sigma2) {
  const Spectrum& s = noise_free.spectrum();
  const Index m = static_cast<Index>(lambdas.size());
  KernelRisk out{Vector::Zero(m), Vector::Zero(m), 0};
  for (Index i = 0; i < s.values.size(); ++i) {
    const double d = s.values[i], f2 = s.squared(i, 0);
    const bool range = d > default_range_tolerance(s.values.size()) * s.top();
    if (range) out.squared_norm += f2 / d;
    for (Index k = 0; k < m; ++k) {
      const FilterValue v = filter_at(s, noise_free.filter(), d, lambdas[static_cast<std::size_t>(k)]);
      const double variance = sigma2 * d * v.gain * v.gain;
      if (range) out.risk[k] += f2 * v.complement * v.complement / d;
      out.risk[k] += variance;
      out.selection[k] += variance + (d * v.gain - 2) * v.gain * f2;
    }
  }
  return out;
}

}  // namespace gnomon::reference
