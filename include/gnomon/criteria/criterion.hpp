#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/criteria/formula.hpp"
#include "gnomon/criteria/target.hpp"
#include "gnomon/data/folds.hpp"
#include "gnomon/learn/learner.hpp"
#include "gnomon/learn/noise_variance.hpp"

namespace gnomon {

/// A value along the path with its standard error; both NaN where undefined, `standard_error` empty without
/// one.
struct CriterionCurve {
  Vector value, standard_error;
  std::optional<double>
      constant;                ///< what was left out of every value, where it is known and means something
  std::string covariance{};    ///< SIC family: how the covariance term was obtained, in words
  bool by_divergence = false;  ///< and whether that rests on Stein's identity
  double gamma = undefined;    ///< rsic: the degree of regularization of its reference
  /// sic of learners linear in y: value = squared bias + variance, less the constant where `bias_less_constant`. Estimates:
  /// the squared bias may come out negative. Empty where they cannot be told apart.
  Vector squared_bias{}, variance{};
  bool bias_less_constant = false;
  /// Standard error of the value less the least one along the candidates: they are made from the same rows and err alike, so that
  /// it is smaller than the errors of the two. Empty where it is not known.
  Vector difference_error{};
};

/// A path of fits to judge, and what judging may need.
struct CriterionContext {
  const Learner& learner;
  Index target;
  std::vector<double> lambdas;
  const NoiseVariance& noise;
  const Metric& metric;
  double pilot_lambda = undefined;  ///< where the reference of rsic and sic-pilot is chosen
  int folds = 10, repeats = 1;
  std::uint64_t seed = 0;
  const Progress& progress;
  BootstrapOptions bootstrap{};
  /// The Stein term cannot tell the candidates apart: the SIC family takes the bootstrap.
  bool stein_is_blind = false;
  int lags = 0;        ///< GEN: how many rows apart the data still depend on each other
  RowGroups groups{};  ///< of cross-validation: rows that are held out together
};

/// A criterion at one point of the tuning parameters.
struct Estimate {
  double value = undefined, standard_error = undefined;
  Vector gradient{};      ///< by the logarithms of the parameters; empty where not asked for
  std::string warning{};  ///< why the value should not be trusted, in words; empty = no objection
  /// More effective parameters than the criterion may choose with.
  bool overfitted = false;
};

/// Value, gradient and trouble of a formula in one account.
template <class FormulaType, class AccountType>
Estimate estimate_of(const FormulaType& formula, const AccountType& account, const Given& given,
                     bool gradient) {
  Estimate out;
  out.warning = account.trouble;
  if (!gradient || !account.slopes) {
    out.value = formula(account, given);
    return out;
  }
  const auto value = formula(account.with_slopes(), given);
  out.value = value.value;
  if (std::isfinite(out.value)) out.gradient = account.slopes(value.by);
  return out;
}

/// A criterion of generalization error: one formula in one account of a fit, and what must be known to use the number. One
/// per file in src/criteria/; the list is in criteria.hpp. A user's own is made in the same way and handed to select().
struct Criterion {
  using Reference = SicReference;
  enum class Covariance { divergence, bootstrap };
  enum class Partition { none, random, blocks };
  enum class Argument { none, folds, lags };

  std::string_view name;       ///< as typed
  std::string_view words;      ///< as read: "generalized cross-validation"
  std::string_view estimates;  ///< what the number is an estimate of, in words
  Target target{};
  Formula formula;
  /// Standard deviation of a formula in counts, from σ²; null: none.
  double (*deviation)(const Counts&, double sigma2) = nullptr;

  bool needs_noise = false;
  bool needs_squares = false;             ///< of the hat matrix: Counts::left_squared
  bool needs_cost = false;                ///< only for fits that minimise a smooth cost
  bool rests_on_divergence = false;       ///< in Σ ∂f_i/∂y_i: Stein's identity, or degrees of freedom
  bool own_loss = false;                  ///< in units of the learner's loss: no comparison across losses
  Argument argument = Argument::none;     ///< what a number after the name means: cv:5, gen:3
  Partition partition = Partition::none;  ///< which rows are held out together
  Reference reference = Reference::least_squares;  ///< of the SIC family
  Covariance covariance = Covariance::divergence;  ///< of the SIC family
  /// The largest share of n in degrees of freedom at which it may choose. Beyond it the value is reported, and never wins:
  /// estimates made from the training error alone tend to 0 with it.
  double most_df = 1;
  /// Takes the mean leverage for every row's: copies of rows, whose residuals an interpolant loses while the mean stays below
  /// one, drive it to 0. Then it is undefined along a path.
  bool mean_leverage = false;
  bool only_on_demand = false;  ///< not part of `all`: the data must be of a kind that nobody can see
  std::string_view same_as{};   ///< always the same number as this one, for learners with several parameters
  /// Where it differs from this one by a constant along the candidates, it makes the same choice: no second opinion.
  std::string_view equal_to{};
  /// A further reason to refuse a learner, in words, or an empty text; null: none.
  std::string (*refuses)(const Learner&, const Metric&) = nullptr;

  Account needs() const { return account_of(formula); }
  /// Made from every row's leverage: decompositions are prepared for it.
  bool needs_leverages() const { return needs() == Account::left_out || needs() == Account::scores; }
  ErrorKind kind(const Metric& metric) const { return target.kind(metric); }
  bool may_choose(double df, double n) const { return !(most_df < 1 && df > most_df * n); }

  /// Why it is undefined for this learner, or an empty text.
  std::string undefined_for(const Learner&, const Metric&) const;
  /// At every λ of a path. Throws nothing for undefined values: they are NaN.
  CriterionCurve evaluate(const CriterionContext&) const;
  /// At one point of any learner, with the gradient in all of its parameters where asked for.
  Estimate at(const Learner& learner, const Vector& point, const Given& given, bool gradient) const;
};

/// A criterion with all that it is told: what a search over the parameters of a learner lowers.
struct GivenCriterion {
  Criterion criterion;
  Given given{};

  Estimate at(const Learner& learner, const Vector& point, bool gradient) const {
    return criterion.at(learner, point, given, gradient);
  }
};

/// The share for criteria that correct the training error of the same fit.
inline constexpr double most_df_in_sample = 0.8;

/// Standard deviation of zᵀ diag(a) z under Gaussian noise, from unbiased estimates of its parts:
///   Var = 2σ⁴ Σa² + 4σ² Σa²μ²,  E z² = μ² + σ²  ⇒  4σ² Σa²z² − 2σ⁴ Σa².
inline double quadratic_form_deviation(double a2, double a2z2, double sigma2) {
  const double variance = 4 * sigma2 * a2z2 - 2 * sigma2 * sigma2 * a2;
  return std::isnan(variance) ? undefined : std::sqrt(std::max(0.0, variance));
}
/// Of rss/n, and of whatever adds a constant to it.
inline double in_sample_deviation(const Counts& a, double sigma2) {
  return quadratic_form_deviation(a.left_fourth, a.rss_fourth, sigma2) / a.n;
}

}  // namespace gnomon
