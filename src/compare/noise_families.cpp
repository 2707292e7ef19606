#include "noise_families.hpp"

#include <cmath>

namespace gnomon::compare {
namespace {

Vector gaussian_noise(const World& world, const Vector& truth, Random& random) {
  return std::sqrt(world.sigma2) * random.normal_vector(truth.size());
}

Vector resampled_residuals(const World& world, const Vector& truth, Random& random) {
  Vector noise(truth.size());
  for (double& e : noise)
    e = world.residuals[static_cast<Index>(random.below(static_cast<std::uint64_t>(world.residuals.size())))];
  return noise;
}

/// Student's t with 3 degrees of freedom, whose variance is 3.
Vector heavy_tailed_noise(const World& world, const Vector& truth, Random& random) {
  Vector noise(truth.size());
  for (double& e : noise) {
    const double normal = random.normal();
    double chi2 = 0;
    for (int j = 0; j < 3; ++j) {
      const double z = random.normal();
      chi2 += z * z;
    }
    e = std::sqrt(world.sigma2 / 3) * normal / std::sqrt(chi2 / 3);
  }
  return noise;
}

Vector growing_noise(const World& world, const Vector& truth, Random& random) {
  return growing_deviations(truth, world.sigma2).cwiseProduct(random.normal_vector(truth.size()));
}

}  // namespace

Vector growing_deviations(const Vector& truth, double sigma2) {
  const double least = truth.minCoeff(), range = truth.maxCoeff() - least;
  if (!(range > 0)) return Vector::Constant(truth.size(), std::sqrt(sigma2));
  const Vector shape = (0.25 + (truth.array() - least) / range).matrix();
  return shape * std::sqrt(sigma2 * static_cast<double>(shape.size()) / shape.squaredNorm());
}

const std::vector<NoiseFamily>& noise_families() {
  static const std::vector<NoiseFamily> families{
      {"gaussian", "Gaussian of the estimated variance", gaussian_noise},
      {"residuals", "residuals of the fit, scaled to the estimated variance and drawn with replacement",
       resampled_residuals},
      {"heavy-tailed", "Student's t with 3 degrees of freedom, scaled to the estimated variance",
       heavy_tailed_noise},
      {"growing",
       "Gaussian, its standard deviation growing fivefold from the least to the largest true value",
       growing_noise}};
  return families;
}

}  // namespace gnomon::compare
