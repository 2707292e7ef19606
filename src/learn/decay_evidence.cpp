#include "gnomon/learn/decay_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gnomon {

EvidenceParts evidence_account(const DecayEvidence& e) {
  using std::numbers::pi;
  EvidenceParts out;
  out.n = e.observations, out.fixed = e.unpenalised;
  out.quadratic = e.samples * e.cost;
  out.known_scale = e.likelihood_loss;
  out.log_determinant = e.log_determinant;
  const double unit = e.likelihood_loss ? e.samples / pi : 2;
  for (Index g = 0; g < e.kappa.size(); ++g) {
    if (e.group_size[g] > 0) out.log_determinant -= e.group_size[g] * std::log(unit * e.kappa[g]);
  }
  if (e.likelihood_loss)
    out.log_determinant += e.weights * std::log(e.samples / (2 * pi));
  else if (e.unpenalised > 0)
    out.log_determinant += e.unpenalised * std::log(e.samples / 2);
  if (!(e.observations > e.unpenalised) && !e.likelihood_loss)
    out.trouble = "as many unpenalised weights as observations: the noise cannot be estimated";
  if (e.gamma.size() == 0) return out;
  Matrix d(e.gamma.size(), 2);
  d.col(0) = e.samples * e.kappa.cwiseProduct(e.squared_norm);
  d.col(1) = -e.gamma;
  if (e.third.size()) d.col(1) += 2 * e.third;
  out.slopes = slopes_from(std::move(d));
  return out;
}

double best_beta(const DecayEvidence& e) {
  if (e.likelihood_loss) return 1;
  const double dof = std::max(e.observations - e.unpenalised, 0.0);
  return std::clamp(0.5 * dof / (e.samples * e.cost), 1e-300, 1e300);
}

}  // namespace gnomon
