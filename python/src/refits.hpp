#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "gnomon/criteria/criterion.hpp"
#include "gnomon/learn/bootstrap.hpp"
#include "gnomon/learn/divergence.hpp"

namespace gnomon::python {

/// Where the error of a fit is measured, points with weights ω (sum 1), and what it is measured against there: r = L_u y, unbiased for the
/// true function. At the training rows y itself; elsewhere least squares on a basis of the inputs.
struct Reference {
  std::string name;  ///< of the basis; empty at the training rows
  Vector values;     ///< r
  double spread;     ///< Σ ω diag(L_u L_uᵀ): its variance over σ²
  Pairing pairing;   ///< e ↦ ω ∘ L_u e

  /// `weight` counts copies of rows, here and below: row i has noise of variance σ²/w_i.
  static Reference at_rows(const Vector& y, const Vector& weight);
  /// `basis` "auto": the one of linear, polynomial:2 and polynomial:3 with the least leave-one-out error.
  static Reference at_points(const Matrix& x, const Vector& y, const Vector& weight, const Matrix& points,
                             const std::string& basis);
};

/// What refits tell of the covariance E⟨f̂, L_u e⟩ of a fit with the noise.
struct FoundCovariance {
  double whole = undefined;          ///< the optimism is twice this
  double less_constant = undefined;  ///< the constant's own part left out, as the SIC family does
  double simulation = undefined;     ///< standard error of `whole` over replications or probes
};

/// The error of a fit by any learner at all, from refits to other targets: the targets go out, values of the refits come back.
///   risk = Σ ω (f̂ − r)² − σ² spread + 2C,     C = E⟨f̂, L_u e⟩ by the residual bootstrap, or σ² times Stein's divergence
/// (Sugiyama 2007; Ramani, Blu & Unser 2008; with large steps Ye 1998).
class Refits {
 public:
  /// `fitted` at the training rows, `values` at the points of the reference.
  Refits(Vector y, Vector weight, Vector fitted, Vector values, Reference reference);

  /// Targets f̂ + e^b of the bootstrap, one column each. Rescaled residuals have the variance σ²: df = n − rss/σ².
  Matrix resampled(std::uint64_t seed, const BootstrapOptions& options, double sigma2);
  FoundCovariance by_bootstrap(const Matrix& refits) const;

  /// Targets y + step·b along random signs, then y − step·b where `central`.
  Matrix probed(std::uint64_t seed, int probes, double step, bool central);
  /// Over σ².
  FoundCovariance by_probes(const Matrix& refits) const;

  /// The criterion's formula in what was found; `divergence` is over σ², and either may be undefined.
  double value(const Criterion& criterion, double divergence, double bootstrapped, double sigma2) const;

  double count() const { return weight_.sum(); }  ///< of rows, each as often as its weight says
  double rss() const { return weight_.dot((y_ - fitted_).cwiseAbs2()); }
  double training_error() const { return rss() / count(); }
  double distance() const;  ///< Σ ω (f̂ − r)²
  /// Standard error of a mean of squared residuals.
  double spread_of_residuals() const;
  const Reference& reference() const { return reference_; }

 private:
  /// A learner that looks its values up: refits are handed over by their targets.
  FitFunction replay(const Matrix& targets, const Matrix& refits) const;

  double mean_of(const Vector& values) const { return weight_.dot(values) / count(); }

  Vector y_, weight_, fitted_, values_;
  Reference reference_;
  // Of the last bootstrap and of the last probing.
  std::uint64_t bootstrap_seed_ = 0, probe_seed_ = 0;
  Vector residual_;
  Matrix bootstrap_targets_, probe_targets_;
  double step_ = undefined;
  bool central_ = false;
};

}  // namespace gnomon::python
