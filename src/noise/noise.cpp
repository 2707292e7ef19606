#include "gnomon/noise/noise.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "gnomon/core/text.hpp"
#include "gnomon/learn/path_learner.hpp"
#include "gnomon/noise/evidence_scale.hpp"
#include "gnomon/noise/gsj.hpp"
#include "gnomon/noise/nearest.hpp"
#include "gnomon/noise/pure_error.hpp"
#include "gnomon/noise/rice.hpp"

namespace gnomon {
namespace {

/// Index of the least finite score; nothing if there is none.
template <class Score>
std::optional<std::size_t> argmin(const std::vector<SpectralSums>& sums, const Score& score) {
  std::optional<std::size_t> best;
  double least = HUGE_VAL;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const double value = score(sums[k]);
    if (std::isfinite(value) && value < least) least = value, best = k;
  }
  return best;
}

NoiseVariance single(std::string method, std::optional<double> value, std::string reason) {
  return {std::move(method), std::move(reason), Vector::Constant(1, value.value_or(undefined))};
}

Vector only_input(const NoiseContext& c, std::string_view method) {
  require(c.x.cols() == 1, "noise method '{}' needs one input column, not {}; use nearest or gcv", method,
          c.x.cols());
  return c.x.col(0);
}

/// A Gaussian model stands behind the fit, so that the evidence has a scale.
bool has_evidence(const NoiseContext& c) {
  return c.learner.linear() && c.learner.linear()->filter().log_prior_ratio;
}

NoiseVariance automatic(const NoiseContext& c) {
  const Spectrum* spectrum = c.learner.is_kernel() ? nullptr : &c.learner.smoother().spectrum();
  if (spectrum && spectrum->outside_directions() >= std::max(10.0, c.learner.count() / 4)) {
    return single("ols", least_squares_variance(*spectrum, c.target),
                  fmt::format("least squares leaves {} of {} directions over",
                              pretty(spectrum->outside_directions(), 6), pretty(c.learner.count(), 6)));
  }
  if (c.learner.solved() && c.learner.solved()->has_inputs() && c.learner.rows() > 2) {
    const double by_cv = cross_validated_variance(c);
    if (std::isfinite(by_cv))
      return single("cv", by_cv, "residual variance at the minimum of ten-fold cross-validation");
  }
  const double by_gcv = gcv_variance(c.sums, c.learner.count());
  if (std::isfinite(by_gcv))
    return single("gcv", by_gcv, "residual variance at the GCV minimiser, one value for the whole path");
  if (has_evidence(c)) {
    const double by_evidence = evidence_variance(c.sums, c.learner.count(), c.learner.intercept() ? 1 : 0);
    if (std::isfinite(by_evidence))
      return single("ml", by_evidence, "GCV interpolates, so the evidence's scale is used");
  }
  return single("auto", std::nullopt,
                "every estimate interpolates the data: the noise variance cannot be told");
}

}  // namespace

double residual_variance(const SpectralSums& s) { return s.g > 0 ? s.z2g2 / s.g : undefined; }
double residual_variance_unbiased(const SpectralSums& s) { return s.g2 > 0 ? s.z2g2 / s.g2 : undefined; }

double gcv_score(const SpectralSums& s, double count) {
  return s.g > 1e-6 * count ? count * s.z2g2 / (s.g * s.g) : undefined;
}

double gcv_variance(const std::vector<SpectralSums>& sums, double count) {
  const auto best = argmin(sums, [count](const SpectralSums& s) { return gcv_score(s, count); });
  return best ? residual_variance(sums[*best]) : undefined;
}

double cross_validated_variance(const NoiseContext& c) {
  const Index n = c.learner.rows();
  if (n < 2) return undefined;
  std::vector<double> lambdas;
  for (const auto& s : c.sums) lambdas.push_back(s.lambda);
  const Folds folds = random_folds(n, static_cast<int>(std::min<Index>(10, n)), c.seed);
  const FoldErrors errors = c.learner.fold_errors(lambdas, c.target, folds);
  const Vector mean = (errors.sums.array().colwise() / errors.weights.array()).colwise().mean();
  std::optional<Index> best;
  for (Index k = 0; k < mean.size(); ++k) {
    if (std::isfinite(mean[k]) && (!best || mean[k] < mean[*best])) best = k;
  }
  return best ? residual_variance(c.sums[static_cast<std::size_t>(*best)]) : undefined;
}

double evidence_variance(const std::vector<SpectralSums>& sums, double count, double fixed) {
  const auto best =
      argmin(sums, [&](const SpectralSums& s) { return minus_two_log_evidence(s, count, fixed); });
  return best ? sums[*best].z2g / (count - fixed) : undefined;
}

double least_squares_variance(const Spectrum& s, Index target) {
  const double directions = s.outside_directions();
  return directions >= 0.5 ? s.outside[target] / directions : undefined;
}

std::vector<std::string> noise_methods() {
  return {"auto",       "residual", "gcv", "cv",      "ml",         "reml",
          "difference", "rice",     "gsj", "nearest", "pure-error", "ols"};
}

void check_noise_method(std::string_view method) {
  if (const auto number = parse_number(method)) {
    require(std::isfinite(*number) && *number >= 0, "noise variance {} is not allowed; give σ² ≥ 0", method);
    return;
  }
  const auto names = noise_methods();
  if (std::find(names.begin(), names.end(), method) == names.end()) {
    throw UsageError(fmt::format("unknown noise method '{}'; allowed: {}, or a number (σ² known){}", method,
                                 join(names), suggestion(method, names)));
  }
}

NoiseVariance estimate_noise(std::string_view method, const NoiseContext& c) {
  check_noise_method(method);
  const double count = c.learner.count(), fixed = c.learner.intercept() ? 1 : 0;
  if (const auto number = parse_number(method)) return single("given", *number, "given by the user");
  if (method == "auto") return automatic(c);
  if (method == "residual") {
    Vector values(static_cast<Index>(c.sums.size()));
    for (Index k = 0; k < values.size(); ++k)
      values[k] = residual_variance(c.sums[static_cast<std::size_t>(k)]);
    return {"residual", "rss/(n − tr H), one value per λ", values};
  }
  if (method == "gcv")
    return single("gcv", gcv_variance(c.sums, count), "residual variance at the GCV minimiser");
  if (method == "cv")
    return single("cv", cross_validated_variance(c),
                  "residual variance at the minimum of ten-fold cross-validation");
  if (method == "ml" || method == "reml") {
    require(has_evidence(c), "noise method '{}' needs a learner with a Gaussian prior: ridge or kernel-ridge",
            method);
    require(method == "ml" || fixed > 0, "noise method 'reml' needs an intercept; use ml");
    return single(std::string(method), evidence_variance(c.sums, count, fixed),
                  "scale of the evidence at its maximum");
  }
  if (method == "ols")
    return single("ols", least_squares_variance(c.learner.smoother().spectrum(), c.target),
                  "least squares on the whole design");
  if (method == "pure-error")
    return single("pure-error", pure_error(c.x, c.y, c.weight), "spread within exactly repeated inputs");
  if (method == "rice")
    return single("rice", rice(only_input(c, method), c.y), "first differences along the input");
  if (method == "gsj" || (method == "difference" && c.x.cols() == 1)) {
    return single("gsj", gsj(only_input(c, method), c.y), "three-point differences along the input");
  }
  return single("nearest", nearest(c.x, c.y, c.weight), "differences between nearest neighbours");
}

}  // namespace gnomon
