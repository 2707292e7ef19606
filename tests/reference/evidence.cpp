#include "reference/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gnomon::reference {

HyperEstimate negative_log_evidence(const DecayEvidence& e, double beta) {
  using std::numbers::pi;
  const double b = e.likelihood_loss ? 1 : beta;
  const double scale = b * e.samples;
  double prior = 0;
  for (Index g = 0; g < e.kappa.size(); ++g)
    prior += 0.5 * e.group_size[g] * std::log(e.kappa[g] * scale / pi);
  HyperEstimate out;
  out.value = scale * e.cost + 0.5 * e.log_determinant + 0.5 * e.weights * std::log(scale / (2 * pi)) - prior;
  if (!e.likelihood_loss) out.value += 0.5 * e.observations * std::log(pi / b);
  if (e.gamma.size()) out.gradient = scale * e.kappa.cwiseProduct(e.squared_norm) - 0.5 * e.gamma;
  if (e.gamma.size() && e.third.size()) out.gradient += e.third;
  if (!(e.observations > e.unpenalised) && !e.likelihood_loss) {
    out.warning = "as many unpenalised weights as observations: the noise cannot be estimated";
  }
  return out;
}

HyperEstimate profiled_evidence(const DecayEvidence& e) {
  HyperEstimate out = negative_log_evidence(e, best_beta(e));
  const Vector share = e.kappa.cwiseProduct(e.squared_norm) / e.kappa.dot(e.squared_norm);
  if (!e.gamma.size() || e.third.size() || e.likelihood_loss || !share.allFinite()) return out;
  if (e.gamma.sum() < e.left) return out;
  const double total = e.left - (e.observations - e.unpenalised) * (e.training_error / e.cost);
  out.gradient = 0.5 * (share * total + (share * e.gamma.sum() - e.gamma));
  return out;
}

}  // namespace gnomon::reference
