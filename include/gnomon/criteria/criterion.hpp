#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/criteria/bootstrap.hpp"
#include "gnomon/learn/path_learner.hpp"
#include "gnomon/learn/smoother.hpp"
#include "gnomon/noise/noise.hpp"

namespace gnomon {

/// What kind of number a criterion gives. Numbers of different kinds never share an axis.
enum class ErrorKind {
  function_space,
  prediction,
  log_evidence,
  log_likelihood,
  cross_entropy,
  huber_loss,
  relative
};
std::string_view to_string(ErrorKind);

/// Where the error is measured: the U of the SIC family.
struct Metric {
  enum class Kind { function_space, train, points } kind = Kind::train;
  MetricPoints points;      ///< for Kind::points, in the learner's (scaled) input units
  std::string description;  ///< "function-space", "train", "test", a file name
};

/// A value along the path with its standard error; both NaN where undefined, `standard_error` empty without
/// one.
struct CriterionCurve {
  Vector value, standard_error;
  std::optional<double>
      constant;              ///< what was left out of every value, where it is known and means something
  std::string covariance{};  ///< SIC family: how the covariance term was obtained, in words
};

/// What a criterion sees. Criteria are functions of it: they keep nothing and change nothing.
struct CriterionContext {
  const Learner& learner;
  Index target;
  std::vector<double> lambdas;
  std::vector<SpectralSums> sums;  ///< one per λ
  const NoiseVariance& noise;
  const Metric& metric;
  double pilot_lambda = undefined;  ///< where the reference of regularised SIC is taken
  int folds = 10, repeats = 1;
  std::uint64_t seed = 0;
  const Progress& progress;
  BootstrapOptions bootstrap{};
  /// The Stein term cannot tell the candidates apart: the SIC family takes the bootstrap.
  bool stein_is_blind = false;
  int lags = 0;  ///< GEN: how many rows apart the data still depend on each other

  double count() const { return learner.count(); }
};

struct Estimate {
  double value = undefined, standard_error = undefined;
};

/// A criterion of generalization error. One per header in criteria/; the list is in catalog.hpp.
struct Criterion {
  std::string_view name;
  std::string_view estimates;  ///< what the number is an estimate of
  ErrorKind (*kind)(const Metric&);
  bool needs_noise;
  bool needs_leave_one_out;
  /// Why it is undefined for this learner, or an empty text.
  std::string (*undefined_for)(const Learner&, const Metric&);
  CriterionCurve (*evaluate)(const CriterionContext&);
  /// The largest share of n in degrees of freedom at which it may choose. Beyond it the value is reported, and never wins:
  /// estimates made from the training error alone tend to 0 with it.
  double most_df = 1;

  bool may_choose(double df, double n) const { return !(most_df < 1 && df > most_df * n); }
};

/// The share for criteria that correct the training error of the same fit.
inline constexpr double most_df_in_sample = 0.8;

/// False with more degrees of freedom than observations (weights that sum to less than the rows): nothing can be told.
inline bool countable(const SpectralSums& s, double n) { return s.g > -1e-9 * n; }

/// For criteria that are a formula in the spectral sums: f(sums, σ², n) → Estimate, at every λ.
template <class Formula>
CriterionCurve at_each_lambda(const CriterionContext& c, const Formula& formula) {
  const Index m = static_cast<Index>(c.sums.size());
  CriterionCurve curve{Vector(m), Vector(m), {}};
  for (Index k = 0; k < m; ++k) {
    const SpectralSums& s = c.sums[static_cast<std::size_t>(k)];
    const Estimate e = countable(s, c.count()) ? formula(s, c.noise.at(k), c.count()) : Estimate{};
    curve.value[k] = std::isfinite(e.value) ? e.value : undefined;
    curve.standard_error[k] = e.standard_error;
  }
  if (!curve.standard_error.array().isFinite().any()) curve.standard_error.resize(0);
  return curve;
}

inline ErrorKind prediction_kind(const Metric&) { return ErrorKind::prediction; }
inline ErrorKind log_likelihood_kind(const Metric&) { return ErrorKind::log_likelihood; }
inline std::string always_defined(const Learner&, const Metric&) { return {}; }
/// For formulas in the degrees of freedom.
inline std::string needs_degrees_of_freedom(const Learner& learner, const Metric&) {
  if (!learner.solved()) return {};
  if (learner.solved()->importance().size())
    return "it judges the error at inputs like the training ones, not at the test inputs; use sic, iwcv or "
           "loo";
  return learner.solved()->no_divergence();
}

/// Standard deviation of zᵀ diag(a) z under Gaussian noise, from unbiased estimates of its parts:
///   Var = 2σ⁴ Σa² + 4σ² Σa²μ²,  E z² = μ² + σ²  ⇒  4σ² Σa²z² − 2σ⁴ Σa².
inline double quadratic_form_deviation(double a2, double a2z2, double sigma2) {
  const double variance = 4 * sigma2 * a2z2 - 2 * sigma2 * sigma2 * a2;
  return std::isnan(variance) ? undefined : std::sqrt(std::max(0.0, variance));
}

}  // namespace gnomon
