#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "gnomon/learn/path_learner.hpp"
#include "methods.hpp"

namespace gnomon {
namespace {

NoiseVariance taken(NoiseVariance noise, std::string method, std::string reason) {
  noise.method = std::move(method);
  noise.reason = std::move(reason);
  return noise;
}

}  // namespace

NoiseVariance automatic_noise(const NoiseContext& c) {
  const Spectrum* spectrum = c.learner.is_kernel() ? nullptr : &c.learner.smoother().spectrum();
  if (spectrum && spectrum->outside_directions() >= std::max(10.0, c.learner.count() / 4)) {
    return taken(least_squares_noise(c), "ols",
                 fmt::format("least squares leaves {} of {} directions over",
                             pretty(spectrum->outside_directions(), 6), pretty(c.learner.count(), 6)));
  }
  if (c.learner.solved() && c.learner.solved()->has_inputs() && c.learner.rows() > 2) {
    if (const auto by_cv = cross_validated_noise(c); std::isfinite(by_cv.at(0)))
      return taken(by_cv, "cv", "residual variance at the minimum of ten-fold cross-validation");
  }
  if (const auto by_gcv = gcv_noise(c); std::isfinite(by_gcv.at(0)))
    return taken(by_gcv, "gcv", "residual variance at the GCV minimiser, one value for the whole path");
  if (lacks_evidence(c).empty()) {
    if (const auto by_evidence = evidence_noise(c); std::isfinite(by_evidence.at(0)))
      return taken(by_evidence, "ml", "GCV interpolates, so the evidence's scale is used");
  }
  return taken(one_variance(std::nullopt), "auto",
               "every estimate interpolates the data: the noise variance cannot be told");
}

}  // namespace gnomon
