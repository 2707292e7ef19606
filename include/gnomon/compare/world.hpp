#pragma once

#include <string>
#include <vector>

#include "gnomon/core/random.hpp"
#include "gnomon/core/types.hpp"

namespace gnomon::compare {

/// A function taken as the truth: a fit of the learner to the user's own y, at the user's inputs.
struct Truth {
  std::string name;  ///< fit, smoother, rougher
  double lambda = undefined, width = undefined, tuning = undefined;
  double df = undefined;  ///< NaN where the learner cannot tell
  Vector values;
};

/// What a simulation takes for granted.
struct World {
  std::vector<Truth> truths;  ///< the first one is the fit
  double sigma2 = undefined;  ///< noise variance, the same on average over the rows in every family
  std::string sigma2_method;
  Vector residuals;  ///< of the fit, centred, scaled to mean square σ²
};

/// A law of the noise. All have mean 0 and mean variance σ² over the rows; they differ in shape.
struct NoiseFamily {
  std::string_view name, words;
  Vector (*draw)(const World& world, const Vector& truth, Random& random);
};

/// gaussian, residuals, heavy-tailed, growing.
const std::vector<NoiseFamily>& noise_families();

/// Standard deviations that grow in proportion with the truth, fivefold from its least to its largest value, of mean
/// square σ².
Vector growing_deviations(const Vector& truth, double sigma2);

}  // namespace gnomon::compare
