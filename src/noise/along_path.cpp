#include <algorithm>
#include <cmath>

#include "gnomon/criteria/criteria.hpp"
#include "least_score.hpp"
#include "methods.hpp"

namespace gnomon {

double residual_variance(const Counts& c) { return c.left > 0 ? c.rss / c.left : undefined; }

double gcv_score(const Counts& c) {
  return c.left > 1e-6 * c.n ? std::get<CountsFormula>(gcv.formula)(c, {}) : undefined;
}

double gcv_variance(const std::vector<Counts>& counts) {
  const auto best = least_score(counts, gcv_score);
  return best ? residual_variance(counts[*best]) : undefined;
}

double evidence_variance(const std::vector<EvidenceParts>& parts) {
  const auto best = least_score(
      parts, [](const EvidenceParts& e) { return std::get<EvidenceFormula>(evidence.formula)(e, {}); });
  return best ? parts[*best].quadratic / (parts[*best].n - parts[*best].fixed) : undefined;
}

NoiseVariance residual_noise(const NoiseContext& c) {
  NoiseVariance noise;
  noise.at_point = residual_variance;
  return noise.along(c.counts);
}

NoiseVariance gcv_noise(const NoiseContext& c) {
  NoiseVariance noise = one_variance(gcv_variance(c.counts));
  noise.at_gcv_minimum = true;
  return noise;
}

NoiseVariance evidence_noise(const NoiseContext& c) {
  return one_variance(evidence_variance(c.learner.evidence(points_of(c.lambdas), c.target, false)));
}

std::string lacks_evidence(const NoiseContext& c) {
  return c.learner.linear() && c.learner.lacks(Account::evidence, {}).empty()
             ? ""
             : "needs a learner with a Gaussian prior: ridge or kernel-ridge";
}

}  // namespace gnomon
