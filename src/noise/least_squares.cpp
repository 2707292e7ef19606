#include "methods.hpp"

namespace gnomon {

double least_squares_variance(const Spectrum& s, Index target) {
  const double directions = s.outside_directions();
  return directions >= 0.5 ? s.outside[target] / directions : undefined;
}

NoiseVariance least_squares_noise(const NoiseContext& c) {
  return one_variance(least_squares_variance(c.learner.smoother().spectrum(), c.target));
}

}  // namespace gnomon
