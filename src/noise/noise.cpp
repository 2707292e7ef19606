#include "gnomon/noise/noise.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "gnomon/core/text.hpp"
#include "gnomon/criteria/evidence.hpp"
#include "gnomon/criteria/gcv.hpp"
#include "gnomon/learn/path_learner.hpp"
#include "gnomon/noise/gsj.hpp"
#include "gnomon/noise/nearest.hpp"
#include "gnomon/noise/pure_error.hpp"
#include "gnomon/noise/rice.hpp"

namespace gnomon {
namespace {

/// Index of the least finite score; nothing if there is none.
template <class Account, class Score>
std::optional<std::size_t> argmin(const std::vector<Account>& accounts, const Score& score) {
  std::optional<std::size_t> best;
  double least = HUGE_VAL;
  for (std::size_t k = 0; k < accounts.size(); ++k) {
    const double value = score(accounts[k]);
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
  return c.learner.linear() && c.learner.lacks(Account::evidence, {}).empty();
}

std::vector<EvidenceParts> evidence_along(const NoiseContext& c) {
  return c.learner.evidence(points_of(c.lambdas), c.target, false);
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
  const double by_gcv = gcv_variance(c.counts);
  if (std::isfinite(by_gcv))
    return single("gcv", by_gcv, "residual variance at the GCV minimiser, one value for the whole path");
  if (has_evidence(c)) {
    const double by_evidence = evidence_variance(evidence_along(c));
    if (std::isfinite(by_evidence))
      return single("ml", by_evidence, "GCV interpolates, so the evidence's scale is used");
  }
  return single("auto", std::nullopt,
                "every estimate interpolates the data: the noise variance cannot be told");
}

}  // namespace

double residual_variance(const Counts& c) { return c.left > 0 ? c.rss / c.left : undefined; }

double gcv_score(const Counts& c) {
  return c.left > 1e-6 * c.n ? std::get<CountsFormula>(gcv.formula)(c, {}) : undefined;
}

double gcv_variance(const std::vector<Counts>& counts) {
  const auto best = argmin(counts, gcv_score);
  return best ? residual_variance(counts[*best]) : undefined;
}

double cross_validated_variance(const NoiseContext& c) {
  const Index n = c.learner.rows();
  if (n < 2) return undefined;
  const Folds folds = random_folds(n, static_cast<int>(std::min<Index>(10, n)), c.seed);
  const auto errors = c.learner.held_out(points_of(c.lambdas), c.target, folds, false, {});
  const auto best =
      argmin(errors, [](const HeldOut& e) { return (e.sum.array() / e.weight.array()).mean(); });
  return best ? residual_variance(c.counts[*best]) : undefined;
}

double evidence_variance(const std::vector<EvidenceParts>& parts) {
  const auto best = argmin(
      parts, [](const EvidenceParts& e) { return std::get<EvidenceFormula>(evidence.formula)(e, {}); });
  return best ? parts[*best].quadratic / (parts[*best].n - parts[*best].fixed) : undefined;
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
  const double fixed = c.learner.intercept() ? 1 : 0;
  if (const auto number = parse_number(method)) return single("given", *number, "given by the user");
  if (method == "auto") return automatic(c);
  if (method == "residual") {
    Vector values(static_cast<Index>(c.counts.size()));
    for (Index k = 0; k < values.size(); ++k)
      values[k] = residual_variance(c.counts[static_cast<std::size_t>(k)]);
    return {"residual", "rss/(n − tr H), one value per λ", values};
  }
  if (method == "gcv")
    return single("gcv", gcv_variance(c.counts), "residual variance at the GCV minimiser");
  if (method == "cv")
    return single("cv", cross_validated_variance(c),
                  "residual variance at the minimum of ten-fold cross-validation");
  if (method == "ml" || method == "reml") {
    require(has_evidence(c), "noise method '{}' needs a learner with a Gaussian prior: ridge or kernel-ridge",
            method);
    require(method == "ml" || fixed > 0, "noise method 'reml' needs an intercept; use ml");
    return single(std::string(method), evidence_variance(evidence_along(c)),
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
