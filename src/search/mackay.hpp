#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gnomon/learn/decay_evidence.hpp"
#include "gnomon/search/minimise.hpp"

namespace gnomon {

struct MackayUpdate {
  Vector alpha, kappa;      ///< γ_g/(2|ŵ_g|²), γ_g S/((n−γ)|ŵ_g|²)
  double beta = undefined;  ///< (n−γ)/(2NS)
};
/// One of MacKay's updates. β and κ are capped at 1e300 where n − γ or a group's weights vanish.
MackayUpdate mackay_update(const DecayEvidence&);
/// The monotone update of the EM algorithm, with the same fixed points: 2α_g = m_g/(|ŵ_g|² + (m_g−γ_g)/(2α_g)).
MackayUpdate em_update(const DecayEvidence&, double beta);

struct MackayOptions {
  int max_iterations = 500;
  double tolerance = 1e-10;  ///< on the change of log κ, of every group that is neither dropped nor free
  /// κ_g is kept in [lower, upper]·scale_g; reaching an end is the group's verdict.
  double lower = 1e-8, upper = 1e8;
  std::vector<std::string> names{};  ///< of the groups, for the status; empty = numbers
  Vector scale;  ///< natural unit of κ_g (mean curvature of the group, half of tr H_gg/m_g); empty = ones
};

struct MackayStep {
  Vector kappa;
  double beta, negative_log_evidence, change;  ///< change = largest |Δ log κ| of the step that led here
  bool em;                                     ///< reached by the EM update
};

struct MackayResult {
  Vector kappa, alpha, gamma;
  double beta = undefined, gamma_total = undefined;
  double negative_log_evidence = undefined;  ///< profiled over β
  double residual = undefined;  ///< largest |d(−log p)/d log κ_g| over the groups inside their bounds
  std::vector<Verdict> verdicts;
  std::vector<MackayStep> trace;
  bool converged = false;
  std::string status;  ///< in words, what happened and to which groups
};

/// Trains at κ and says what the evidence is made of.
using EvidenceAt = std::function<DecayEvidence(const Vector& kappa)>;

/// Iterates MacKay's update. A step that lowers the evidence is replaced by the EM update, which cannot. Never returns
/// NaN: κ is bounded, β capped.
MackayResult mackay(const EvidenceAt& evidence_at, Vector kappa, const MackayOptions& = {});

}  // namespace gnomon
