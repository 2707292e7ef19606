#pragma once

#include <array>
#include <functional>
#include <limits>
#include <span>
#include <string>

#include "gnomon/core/dual.hpp"
#include "gnomon/core/types.hpp"

namespace gnomon {

/// What a fit tells about itself. A criterion is a formula in one account; how a learner comes by the numbers is its own
/// business. NaN where a learner cannot tell a number.
enum class Account {
  counts,
  scores,
  left_out,
  held_out,
  evidence,
  sic,
  resampled  ///< the covariance of SIC by refits to resampled targets
};

/// Derivatives of an account: the slopes of a formula by the account's fields in, its gradient by the logarithms of the
/// tuning parameters out. Learners combine the slopes first where that is cheaper than a derivative per field.
using Slopes = std::function<Vector(std::span<const double> by_field)>;
/// From the derivatives of every field, one column each.
Slopes slopes_from(Matrix derivatives);

/// Residuals and effective numbers of parameters; in tr H of a linear fit, in Σ ∂f_i/∂y_i of any other.
template <class Number>
struct CountsOf {
  static constexpr std::size_t fields = 3;  ///< rss, df, left_squared
  Number n = undefined;                     ///< observations, the sum of the weights
  Number rss = undefined;                   ///< Σ w (y − f)²
  Number df = undefined;                    ///< tr H, unpenalised parameters included
  Number left = undefined;                  ///< n − tr H, formed without the subtraction where it cancels
  Number left_squared = undefined;          ///< ‖I − H‖² = n − 2 tr H + tr H²
};
struct Counts : CountsOf<double> {
  double left_fourth = undefined;  ///< tr (I − H)⁴ and yᵀ(I − H)⁴y, for standard errors; smoothers only
  double rss_fourth = undefined;
  Slopes slopes{};
  std::string trouble{};  ///< why the numbers are undefined, or not to be trusted; empty = no objection

  CountsOf<Dual<fields>> with_slopes() const {
    using D = Dual<fields>;
    return {n, D::input(rss, 0), D::input(df, 1), D::input(left, 1, -1), D::input(left_squared, 2)};
  }
};

/// First and second derivatives of the training cost of a fit, its loss l_k (squared error: e²), scores s_k = ∇l_k and Hessian J:
/// with M the lag up to which rows depend on each other,
///   loss = Σ l_k,   products = ½ tr(J⁻¹ (1/n) Σ_{|i|≤M} Σ_k s_k s_{k+i}ᵀ),   stationarity = (n/2) R'ᵀJ⁻¹R',
/// R' the gradient of the penalty. For ridge with the hat matrix H: Σ e², Σ_{|i|≤M} Σ_k e_k e_{k+i} H_{k,k+i} and eᵀHe.
template <class Number>
struct ScoresOf {
  static constexpr std::size_t fields = 3;
  Number n = undefined;  ///< rows that the cost sums over
  Number loss = undefined, products = undefined, stationarity = undefined;
};
struct Scores : ScoresOf<double> {
  double observations = undefined, df = undefined;  ///< n and γ as in Counts
  Slopes slopes{};
  std::string trouble{};

  ScoresOf<Dual<fields>> with_slopes() const {
    using D = Dual<fields>;
    return {n, D::input(loss, 0), D::input(products, 1), D::input(stationarity, 2)};
  }
};

/// Σ w e² of errors at rows that were left out one at a time.
template <class Number>
struct LeftOutOf {
  static constexpr std::size_t fields = 1;
  Number sum = undefined;
  Number weight = undefined;
};
struct LeftOut : LeftOutOf<double> {
  double standard_error = undefined;  ///< of the mean
  Slopes slopes{};
  std::string trouble{};

  LeftOutOf<Dual<fields>> with_slopes() const { return {Dual<fields>::input(sum, 0), weight}; }
};

/// Errors of rows that were held out fold by fold: one entry per fold.
struct HeldOut {
  Vector sum;               ///< Σ w e² over the fold
  Vector weight;            ///< Σ w
  Vector importance_sum{};  ///< Σ ratio·e² under a covariate shift; empty otherwise
  Vector importance{};      ///< Σ ratio
  Slopes slopes{};          ///< by the sums of the folds
  std::string trouble{};
};

/// The Gaussian (or Laplace) approximation of the marginal likelihood, −2 log p up to the noise scale:
///   quadratic = Σ loss + penalty at the fit,   log_determinant = log|J| over the prior's precision, constants of a flat prior
/// on the `fixed` unpenalised parameters included.
template <class Number>
struct EvidenceOf {
  static constexpr std::size_t fields = 2;
  Number n = undefined, fixed = 0;
  Number quadratic = undefined, log_determinant = undefined;
  double turn = std::numeric_limits<double>::infinity();  ///< residual beyond which the loss is linear
  bool known_scale = false;                               ///< a likelihood without a noise scale: classes
};
struct EvidenceParts : EvidenceOf<double> {
  Slopes slopes{};
  std::string trouble{};

  EvidenceOf<Dual<fields>> with_slopes() const {
    using D = Dual<fields>;
    return {n, fixed, D::input(quadratic, 0), D::input(log_determinant, 1), turn, known_scale};
  }
};

/// The three parts of the SIC family: ‖a‖² − 2⟨a, a_u⟩ in the metric, and the covariance of fit and reference.
template <class Number>
struct SicOf {
  static constexpr std::size_t fields = 2;
  Number distance = undefined;
  Number divergence = undefined;  ///< covariance of fit and reference over σ²: trace or Stein's divergence
  Number covariance = undefined;  ///< by the bootstrap, where that was asked for
};
struct SicParts : SicOf<double> {
  double sigma2 = undefined;  ///< the bootstrap's own noise variance, where it has one
  double squares = undefined,
         squared_signal = undefined;  ///< Σa² and Σa²z² of zᵀdiag(a)z, for standard errors
  double spread = undefined;          ///< variance of a linear fit in the metric over σ²: tr(U L Lᵀ)
  Slopes slopes{};
  std::string trouble{};

  SicOf<Dual<fields>> with_slopes() const {
    using D = Dual<fields>;
    return {D::input(distance, 0), D::input(divergence, 1), covariance};
  }
};

}  // namespace gnomon
