#include <algorithm>
#include <cmath>

#include "gnomon/criteria/criteria.hpp"
#include "least_score.hpp"
#include "methods.hpp"
#include "replicates.hpp"

namespace gnomon {

double residual_variance(const Counts& c) { return c.left > 0 ? c.rss / c.left : undefined; }

double gcv_score(const Counts& c) {
  return c.left > 1e-6 * c.n ? std::get<CountsFormula>(gcv.formula)(c, {}) : undefined;
}

double gcv_variance(const std::vector<Counts>& counts) {
  const auto best = least_score(counts, gcv_score);
  return best ? residual_variance(counts[*best]) : undefined;
}

namespace {

std::optional<std::size_t> least_evidence(const std::vector<EvidenceParts>& parts) {
  return least_score(
      parts, [](const EvidenceParts& e) { return std::get<EvidenceFormula>(evidence.formula)(e, {}); });
}

double scale_of(const EvidenceParts& e) { return e.quadratic / (e.n - e.fixed); }

}  // namespace

double evidence_variance(const std::vector<EvidenceParts>& parts) {
  const auto best = least_evidence(parts);
  return best ? scale_of(parts[*best]) : undefined;
}

NoiseVariance residual_noise(const NoiseContext& c) {
  NoiseVariance noise;
  noise.at_point = residual_variance;
  return noise.along(c.counts);
}

bool leaves_noise(const Counts& c, double repeats) { return c.df <= most_df_in_sample * (c.n - repeats); }

double cautious_gcv_score(const Counts& c) {
  constexpr double price = 1.4;
  const double left = c.left - (price - 1) * c.df;
  return left > 1e-6 * c.n ? c.n * (c.rss / left) / left : undefined;
}

namespace {

/// Residual variance where a score is least, if residuals are left there.
std::optional<double> residual_at_least(const NoiseContext& c, double repeats,
                                        double (*score)(const Counts&)) {
  const auto best = least_score(c.counts, score);
  if (!best || !leaves_noise(c.counts[*best], repeats)) return std::nullopt;
  return residual_variance(c.counts[*best]);
}

/// Noise is part of any prediction error, so a variance well above the least one that GCV sees is mostly bias of stiff fits.
/// Only copies of rows may have made that one small.
bool exceeds_least_error(double variance, const NoiseContext& c, double repeats) {
  constexpr double slack = 1.5;  // GCV at its minimum is too small itself
  const auto best = least_score(c.counts, gcv_score);
  if (!best || (repeats > 0 && !leaves_noise(c.counts[*best], repeats))) return false;
  return variance > slack * gcv_score(c.counts[*best]);
}

NoiseVariance told_or_not(std::optional<double> variance) {
  NoiseVariance noise = one_variance(variance);
  if (!variance) noise.reason = "the fit that GCV prefers passes through the data, or nearly so";
  return noise;
}

}  // namespace

NoiseVariance gcv_noise(const NoiseContext& c) {
  const double repeats = replicates_of(c).freedom;
  NoiseVariance noise = told_or_not(residual_at_least(c, repeats, gcv_score));
  noise.at_gcv_minimum = true;
  return noise;
}

NoiseVariance cautious_gcv_noise(const NoiseContext& c) {
  const double repeats = replicates_of(c).freedom;
  auto variance = residual_at_least(c, repeats, cautious_gcv_score);
  if (variance && exceeds_least_error(*variance, c, repeats)) variance.reset();
  return told_or_not(variance);
}

NoiseVariance evidence_noise(const NoiseContext& c) {
  const auto parts = c.learner.evidence(points_of(c.lambdas), c.target, false);
  const auto best = least_evidence(parts);
  // Still rising towards the interpolant: its scale goes to 0 with λ, and says nothing.
  const bool vanishes =
      best && *best == 0 && parts.size() > 1 && !leaves_noise(c.counts[0], replicates_of(c).freedom);
  NoiseVariance noise =
      one_variance(best && !vanishes ? std::optional(scale_of(parts[*best])) : std::nullopt);
  if (vanishes)
    noise.reason = "the evidence is highest at the least λ, where its scale of the noise vanishes";
  return noise;
}

std::string lacks_evidence(const NoiseContext& c) {
  return c.learner.linear() && c.learner.lacks(Account::evidence, {}).empty()
             ? ""
             : "needs a learner with a Gaussian prior: ridge or kernel-ridge";
}

}  // namespace gnomon
