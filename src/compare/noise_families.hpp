#pragma once

#include <string_view>
#include <vector>

#include "gnomon/compare/simulation.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon::compare {

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
