#include "mackay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/criteria/criteria.hpp"

namespace gnomon {
namespace {

constexpr double cap = 1e300;

double ratio(double above, double below) { return below > above / cap ? above / below : cap; }

/// −log p at the best β, half of the criterion `evidence`; without bound where the cost vanishes.
Estimate evidence_of(const DecayEvidence& parts, bool gradient) {
  Estimate half =
      estimate_of(std::get<EvidenceFormula>(evidence.formula), evidence_account(parts), {}, gradient);
  if (!(parts.cost > 0) && !parts.likelihood_loss)
    return {std::numeric_limits<double>::lowest(), undefined, Vector::Zero(parts.kappa.size())};
  half.value *= 0.5;
  half.gradient *= 0.5;
  return half;
}

/// Largest change of log κ.
double log_change(const Vector& from, const Vector& to) {
  return from.size() ? (to.array() / from.array()).log().abs().maxCoeff() : 0;
}

class Iteration {
 public:
  Iteration(const EvidenceAt& evidence_at, const MackayOptions& options, Index groups)
      : evidence_at_(evidence_at), options_(options) {
    scale_ = options.scale.size() ? options.scale : Vector::Ones(groups);
    require(scale_.size() == groups, "mackay: {} scales for {} groups", scale_.size(), groups);
  }

  Vector bounded(const Vector& kappa) const {
    return kappa.cwiseMax(options_.lower * scale_).cwiseMin(options_.upper * scale_);
  }
  Verdict verdict(const Vector& kappa, Index g) const {
    if (kappa[g] >= options_.upper * scale_[g]) return Verdict::dropped;
    return kappa[g] <= options_.lower * scale_[g] ? Verdict::unregularized : Verdict::interior;
  }

  MackayResult run(Vector kappa) {
    kappa = bounded(kappa);
    DecayEvidence parts = evidence_at_(kappa);
    double value = evidence_of(parts, false).value;
    MackayResult result;
    result.trace.push_back({kappa, best_beta(parts), value, 0, false});
    for (int i = 0; i < options_.max_iterations && !result.converged; ++i) {
      Vector next = bounded(mackay_update(parts).kappa);
      DecayEvidence there = evidence_at_(next);
      double reached = evidence_of(there, false).value;
      bool em = false;
      if (!(reached <= value + 1e-11 * std::abs(value))) {
        em = true;
        next = bounded(em_update(parts, best_beta(parts)).kappa);
        there = evidence_at_(next);
        reached = evidence_of(there, false).value;
      }
      const double change = log_change(kappa, next);
      kappa = std::move(next), parts = std::move(there), value = reached;
      result.trace.push_back({kappa, best_beta(parts), value, change, em});
      result.converged = change <= options_.tolerance;
    }
    finish(result, kappa, parts, value);
    return result;
  }

 private:
  void finish(MackayResult& result, const Vector& kappa, const DecayEvidence& parts, double value) const {
    const MackayUpdate update = mackay_update(parts);
    result.kappa = kappa;
    result.gamma = parts.gamma;
    result.gamma_total = parts.gamma_total;
    result.beta = update.beta;
    result.alpha = (update.beta * parts.samples * kappa).cwiseMin(cap);
    result.negative_log_evidence = value;
    const Vector slope = evidence_of(parts, true).gradient;
    result.residual = 0;
    std::vector<std::string> dropped, free;
    for (Index g = 0; g < kappa.size(); ++g) {
      const Verdict v = verdict(kappa, g);
      result.verdicts.push_back(v);
      if (v == Verdict::interior) result.residual = std::max(result.residual, std::abs(slope[g]));
      const std::string name =
          options_.names.empty() ? std::to_string(g) : options_.names[static_cast<std::size_t>(g)];
      if (v == Verdict::dropped) dropped.push_back(name);
      if (v == Verdict::unregularized) free.push_back(name);
    }
    result.status =
        result.converged
            ? fmt::format("converged in {} iterations", result.trace.size() - 1)
            : fmt::format(
                  "not converged in {} iterations: the last step changed the logarithm of a decay by {:.2g}",
                  result.trace.size() - 1, result.trace.back().change);
    if (!dropped.empty()) result.status += "; at infinity, dropped: " + join(dropped);
    if (!free.empty()) result.status += "; at zero, not regularized: " + join(free);
    if (!(parts.left > 1e-6 * parts.observations) && !parts.likelihood_loss) {
      result.status += "; the model uses up every observation, the noise level is not determined";
    }
  }

  const EvidenceAt& evidence_at_;
  const MackayOptions& options_;
  Vector scale_;
};

}  // namespace

MackayUpdate mackay_update(const DecayEvidence& e) {
  MackayUpdate u;
  u.beta = e.likelihood_loss ? 1 : ratio(std::max(e.left, 0.0), 2 * e.samples * e.training_error);
  u.alpha.resize(e.gamma.size());
  u.kappa.resize(e.gamma.size());
  for (Index g = 0; g < e.gamma.size(); ++g) {
    u.alpha[g] = ratio(std::max(e.gamma[g], 0.0), 2 * e.squared_norm[g]);
    u.kappa[g] = ratio(u.alpha[g], u.beta * e.samples);
  }
  return u;
}

MackayUpdate em_update(const DecayEvidence& e, double beta) {
  MackayUpdate u;
  const double variance =
      (e.samples * e.training_error + e.gamma_total / (2 * beta)) / e.observations;  // 1/(2β)
  u.beta = e.likelihood_loss ? 1 : ratio(0.5, variance);
  u.alpha.resize(e.gamma.size());
  u.kappa.resize(e.gamma.size());
  for (Index g = 0; g < e.gamma.size(); ++g) {
    const double alpha = e.kappa[g] * beta * e.samples;
    const double spread = e.squared_norm[g] + ratio(std::max(e.group_size[g] - e.gamma[g], 0.0), 2 * alpha);
    u.alpha[g] = ratio(0.5 * e.group_size[g], spread);
    u.kappa[g] = ratio(u.alpha[g], u.beta * e.samples);
  }
  return u;
}

MackayResult mackay(const EvidenceAt& evidence_at, Vector kappa, const MackayOptions& options) {
  require(kappa.size() > 0 && kappa.allFinite(), "mackay: the starting kappa must be finite, one per group");
  Iteration iteration(evidence_at, options, kappa.size());
  return iteration.run(std::move(kappa));
}

}  // namespace gnomon
