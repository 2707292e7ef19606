#include "gnomon/noise/noise.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/noise/local.hpp"
#include "methods.hpp"

namespace gnomon {
namespace {

constexpr const char* known = "given";  // a number, also 0

std::string lacks_one_input(const NoiseContext& c) {
  return c.x.cols() == 1 ? "" : fmt::format("needs one input column, not {}; use nearest or gcv", c.x.cols());
}

std::string lacks_intercept_or_evidence(const NoiseContext& c) {
  if (std::string why = lacks_evidence(c); !why.empty()) return why;
  return c.learner.intercept() ? "" : "needs an intercept; use ml";
}

NoiseVariance by_first_differences(const NoiseContext& c) { return one_variance(rice(c.x.col(0), c.y)); }
NoiseVariance by_three_points(const NoiseContext& c) { return one_variance(gsj(c.x.col(0), c.y)); }
NoiseVariance by_neighbours(const NoiseContext& c) { return one_variance(nearest(c.x, c.y, c.weight)); }
NoiseVariance by_repeats(const NoiseContext& c) { return one_variance(pure_error(c.x, c.y, c.weight)); }

/// Differences in the best way that the inputs allow.
NoiseVariance by_differences(const NoiseContext& c) {
  return estimate_noise(c.x.cols() == 1 ? "gsj" : "nearest", c);
}

}  // namespace

const std::vector<NoiseMethod>& noise_catalog() {
  static const std::vector<NoiseMethod> methods{
      {"auto", "the first method that these data and this learner allow", automatic_noise},
      {"residual", "rss/(n − tr H), one value per λ", residual_noise, {}, true},
      {"gcv", "residual variance at the GCV minimiser", gcv_noise},
      {"gcv-1.4", "residual variance at the minimum of GCV with 1.4 per degree of freedom",
       cautious_gcv_noise},
      {"cv", "residual variance at the minimum of ten-fold cross-validation", cross_validated_noise},
      {"ml", "scale of the evidence at its maximum", evidence_noise, lacks_evidence},
      {"reml", "scale of the evidence at its maximum", evidence_noise, lacks_intercept_or_evidence},
      {"difference", "gsj for one input, nearest for several", by_differences},
      {"rice", "first differences along the input", by_first_differences, lacks_one_input},
      {"gsj", "three-point differences along the input", by_three_points, lacks_one_input},
      {"nearest", "differences between nearest neighbours", by_neighbours},
      {"pure-error", "spread within exactly repeated inputs", by_repeats},
      {"ols", "least squares on the whole design", least_squares_noise}};
  return methods;
}

std::vector<std::string> noise_methods() {
  std::vector<std::string> names;
  for (const auto& method : noise_catalog()) names.push_back(method.name);
  return names;
}

NoiseMethod find_noise_method(std::string_view spec) {
  if (const auto number = parse_number(spec)) {
    if (!(std::isfinite(*number) && *number >= 0))
      throw UsageError(fmt::format("noise variance {} is not allowed; give σ² ≥ 0", spec));
    return {known, "given by the user",
            [value = *number](const NoiseContext&) { return one_variance(value); }};
  }
  for (const auto& method : noise_catalog()) {
    if (method.name == spec) return method;
  }
  const auto names = noise_methods();
  throw UsageError(fmt::format("unknown noise method '{}'; allowed: {}, or a number (σ² known){}", spec,
                               join(names), suggestion(spec, names)));
}

NoiseVariance estimate_noise(const NoiseMethod& method, const NoiseContext& c) {
  const std::string missing = method.lacks ? method.lacks(c) : "";
  require(missing.empty(), "noise method '{}' {}", method.name, missing);
  NoiseVariance noise = method.estimate(c);
  const bool one_value = noise.value.size() == 1 && !noise.at_point;
  if (one_value && method.name != known && noise.at(0) <= rounding_variance(c)) {
    noise.value[0] = undefined;
    noise.reason = "the estimate is 0, or at rounding level of the target's variance";
  }
  if (noise.method.empty()) noise.method = method.name;
  if (noise.reason.empty()) noise.reason = method.words;
  return noise;
}

NoiseVariance estimate_noise(std::string_view spec, const NoiseContext& c) {
  return estimate_noise(find_noise_method(spec), c);
}

double rounding_variance(const NoiseContext& c) {
  return 1e-12 * c.learner.total(c.target) / c.learner.count();
}

NoiseVariance one_variance(std::optional<double> value) {
  NoiseVariance noise;
  noise.value = Vector::Constant(1, value.value_or(undefined));
  return noise;
}

NoiseVariance NoiseVariance::along(const std::vector<Counts>& counts) const {
  NoiseVariance moved = *this;
  if (!at_point) return moved;
  moved.value.resize(static_cast<Index>(counts.size()));
  std::transform(counts.begin(), counts.end(), moved.value.data(), at_point);
  return moved;
}

NoiseVariance NoiseVariance::not_wanted() {
  NoiseVariance noise = one_variance(std::nullopt);
  noise.method = "none";
  noise.reason = "no criterion asked for it";
  noise.wanted = false;
  return noise;
}

}  // namespace gnomon
