#include "gnomon/criteria/rsic.hpp"

namespace gnomon {

CriterionCurve regularised_subspace_information(const CriterionContext& c) {
  const Spectrum& spectrum = c.learner.smoother().spectrum();
  const Filter& filter = c.learner.smoother().filter();
  const bool train = c.metric.kind == Metric::Kind::train;
  const Index r = spectrum.values.size();
  Vector pilot(r);
  for (Index i = 0; i < r; ++i) {
    pilot[i] = spectrum.values[i] * filter_at(spectrum, filter, spectrum.values[i], c.pilot_lambda).gain;
  }
  return at_each_lambda(c, [&](const SpectralSums& s, double sigma2, double n) {
    double value = 0, a2 = 0, a2z2 = 0;
    for (Index i = 0; i < r; ++i) {
      const double d = spectrum.values[i], z2 = spectrum.squared(i, c.target);
      const double x = filter_at(spectrum, filter, d, s.lambda).gain, scale = train ? d / n : 1;
      const double own = scale * d * x * x, cross = scale * x * pilot[i], a = own - 2 * cross;
      value += own * z2 - 2 * cross * (z2 - sigma2);
      a2 += a * a;
      a2z2 += a * a * z2;
    }
    return Estimate{value, quadratic_form_deviation(a2, a2z2, sigma2)};
  });
}

}  // namespace gnomon
