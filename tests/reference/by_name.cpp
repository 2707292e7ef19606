#include "reference/by_name.hpp"

#include <Eigen/Cholesky>
#include <array>

#include "gnomon/core/error.hpp"
#include "reference/trained_gen.hpp"
#include "reference/trained_model.hpp"
#include "reference/wide_gen.hpp"

namespace gnomon::reference {
namespace {

/// The derivative of one field of an account.
template <class AccountType>
Vector slope_of(const AccountType& account, std::size_t field) {
  std::array<double, AccountType::fields> one{};
  one[field] = 1;
  return account.slopes(one);
}

/// tr (XB⁻¹X'/N)² over all outputs, by its definition: what is left of n would cancel for large κ (as this does for small κ and
/// N ≤ p).
double squared_hat(const GroupedRidge& ridge, const VectorView& kappa) {
  const double n = static_cast<double>(ridge.samples());
  double sum = 0;
  for (Index o = 0; o < ridge.outputs(); ++o) {
    Matrix b = ridge.x().transpose() * ridge.x() / n;
    ridge.penalty_of_output(o).add_to(b, kappa);
    const Matrix hat = b.ldlt().solve(ridge.x().transpose() * ridge.x() / n);
    sum += hat.cwiseProduct(hat.transpose()).sum();
  }
  return sum;
}

}  // namespace

CountedError ridge_counted(const GroupedRidge& ridge, const VectorView& kappa, bool gradient, bool squares) {
  const Counts c = ridge.counts(kappa, gradient, squares);
  CountedError e;
  e.samples = static_cast<double>(ridge.samples());
  e.observations = c.n;
  e.weights = static_cast<double>(ridge.penalty().weights());
  e.training_error = c.rss / e.samples;
  e.m1 = c.df, e.left = c.left, e.left_squared = c.left_squared;
  if (squares) e.m2 = c.df > 0.5 * c.n ? c.left_squared + (2 * c.df - c.n) : squared_hat(ridge, kappa);
  if (!gradient) return e;
  e.d_training_error = slope_of(c, 0) / e.samples;
  e.d_m1 = slope_of(c, 1);
  if (squares) {
    e.d_left_squared = slope_of(c, 2);
    e.d_m2 = e.d_left_squared + 2 * e.d_m1;
  }
  return e;
}

HyperEstimate ridge_loo(const GroupedRidge& ridge, const VectorView& kappa, bool gradient) {
  return estimate_of(std::get<LeftOutFormula>(gnomon::loo.formula), ridge.left_out(kappa, gradient), {},
                     gradient);
}

HyperEstimate folds_cv(const RidgeFolds& folds, const VectorView& kappa, bool gradient) {
  const HeldOut errors = folds.held_out(kappa, gradient);
  const Vector share = (errors.weight * static_cast<double>(errors.weight.size())).cwiseInverse();
  HyperEstimate out{share.dot(errors.sum), {}, ""};
  if (gradient) out.gradient = errors.slopes({share.data(), static_cast<std::size_t>(share.size())});
  return out;
}

GenEstimate ridge_gen(const GroupedRidge& ridge, const VectorView& kappa, const GenOptions& asked) {
  GenOptions options = asked;
  options.slopes_by = ridge.slopes_by();
  GenEstimate out = is_wide(ridge, kappa) ? wide_gen(ridge, kappa, options)
                                          : gen(trained_model(ridge, kappa), ridge.penalty(), kappa, options);
  if (options.window != LagWindow::corrected) return out;
  const Scores scores = ridge.scores(kappa, options.lags, options.gradient);
  const Estimate e = estimate_of(std::get<ScoresFormula>(gnomon::gen.formula), scores, {.lags = options.lags},
                                 options.gradient);
  out.value = e.value;
  out.gradient = e.gradient;
  out.lag_count = gnomon::lag_count(options.lags, scores.n);
  out.m_eff = 2 * scores.products;
  out.penalty_term = 2 * out.lag_count / (scores.n * scores.n) * scores.stationarity;
  out.gamma = scores.df;
  return out;
}

namespace {

template <class FormulaType, class AccountType>
ComplementEstimate with_slope(const Formula& formula, const ComplementAccount<AccountType>& made,
                              const Given& given, bool slope) {
  const auto& own = std::get<FormulaType>(formula);
  ComplementEstimate out;
  out.warning = made.account.trouble;
  const auto value = own(made.account.with_slopes(), given);
  out.value = value.value;
  if (slope && !made.of_field.empty()) out.slope = combined(value.by, made.of_field);
  return out;
}

}  // namespace

ComplementEstimate complement_estimate(const HyperCriterion& asked, const Complement& c, bool slope) {
  const GivenCriterion g = asked;
  const Formula& formula = g.criterion.formula;
  if (const auto* both = std::get_if<Blend>(&formula)) {
    const double n = static_cast<double>(c.rows());
    const ComplementEstimate left_out = complement_estimate({"loo"}, c, slope),
                             likelihood = complement_estimate({"evidence"}, c, slope);
    ComplementEstimate out;
    out.value = both->share * n * std::log(left_out.value) + (1 - both->share) * likelihood.value;
    const std::vector<double> by{both->share * n / left_out.value, 1 - both->share};
    if (slope) out.slope = combined(by, {left_out.slope, likelihood.slope});
    return out;
  }
  switch (g.criterion.needs()) {
    case Account::counts:
      return with_slope<CountsFormula>(formula, complement::counts(c, g.criterion.needs_squares), g.given,
                                       slope);
    case Account::scores:
      return with_slope<ScoresFormula>(
          formula,
          complement::scores(c, g.criterion.argument == Criterion::Argument::lags ? g.given.lags : 0),
          g.given, slope);
    case Account::left_out:
      return with_slope<LeftOutFormula>(formula, complement::left_out(c), g.given, slope);
    case Account::evidence:
      return with_slope<EvidenceFormula>(formula, complement::evidence(c), g.given, slope);
    case Account::sic:
      return with_slope<SicFormula>(formula, complement::sic(c), g.given, slope);
    case Account::held_out:
    case Account::resampled:
      break;
  }
  ComplementEstimate out;
  out.value = 0;
  std::vector<ComplementSlope> slopes;
  std::vector<double> weights;
  for (const Folds& folds : g.given.folds) {
    const auto made = complement::held_out(c, folds);
    if (out.warning.empty()) out.warning = made.account.trouble;
    for (Index f = 0; f < made.account.sum.size(); ++f) {
      weights.push_back(1 / (made.account.weight[f] *
                             static_cast<double>(folds.count * static_cast<Index>(g.given.folds.size()))));
      out.value += weights.back() * made.account.sum[f];
    }
    slopes.insert(slopes.end(), made.of_field.begin(), made.of_field.end());
  }
  if (slope && slopes.size() == weights.size()) out.slope = combined(weights, slopes);
  return out;
}

}  // namespace gnomon::reference

namespace gnomon {

MlpGen mlp_gen(const MlpEstimates& estimates, Index lag, MlpLagWindow window, bool with_gradient) {
  const MlpScores made = estimates.scores(lag, window, with_gradient);
  const Scores& s = made.account;
  MlpGen out;
  out.a = made.a;
  out.status = s.trouble;
  if (!std::isfinite(s.loss)) return out;
  if (out.status.empty() && s.df > 0.8 * s.observations) out.status = "GEN is too small here";
  out.effective = 2 * s.products;
  out.correction = 2 * made.a / (s.n * s.n) * s.stationarity;
  out.value = s.loss / s.n + out.effective / s.n - out.correction;
  const std::array by{1 / s.n, 2 / s.n, -2 * made.a / (s.n * s.n)};
  if (with_gradient && s.slopes) out.gradient = s.slopes(by);
  if (with_gradient && made.printed) out.gradient_printed = made.printed(by);
  return out;
}

MlpEvidence mlp_evidence(const MlpEstimates& estimates, std::optional<double> beta, bool with_gradient) {
  MlpEvidence out;
  out.status = estimates.trouble();
  if (!estimates.curvature().log_determinant()) return out;
  const DecayEvidence parts = estimates.decays(with_gradient);
  for (Index g = 0; g < parts.kappa.size(); ++g) {
    if (parts.group_size[g] > 0 && parts.kappa[g] == 0) return out;
  }
  const double best = best_beta(parts);
  if (!parts.likelihood_loss && !beta && !(best > 0 && best < 1e299)) return out;
  out.beta = parts.likelihood_loss ? 1 : beta.value_or(best);
  out.value = reference::negative_log_evidence(parts, out.beta).value;
  if (!parts.likelihood_loss)
    out.gradient_log_beta =
        out.beta * parts.samples * parts.cost - 0.5 * (parts.observations - parts.unpenalised);
  if (!with_gradient) return out;
  DecayEvidence fixed = parts;
  fixed.third = Vector();
  out.gradient_fixed_hessian = reference::negative_log_evidence(fixed, out.beta).gradient;
  if (parts.third.size()) out.gradient = reference::negative_log_evidence(parts, out.beta).gradient;
  return out;
}

}  // namespace gnomon
