#include "gnomon/criteria/criterion.hpp"

#include <algorithm>

#include "gnomon/core/error.hpp"
#include "gnomon/criteria/criteria.hpp"
#include "gnomon/learn/path_learner.hpp"
#include "partitions.hpp"
#include "weighted_mean.hpp"

namespace gnomon {
namespace {

/// For std::visit with one lambda per alternative.
template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

/// False with more degrees of freedom than observations (weights that sum to less than the rows): nothing can be told.
bool countable(const Counts& c) { return c.left > -1e-9 * c.n; }

/// Curves are filled point by point; what is not finite is undefined.
struct CurveMaker {
  CriterionCurve curve;

  explicit CurveMaker(std::size_t points)
      : curve{Vector::Constant(static_cast<Index>(points), undefined),
              Vector::Constant(static_cast<Index>(points), undefined),
              {}} {}
  void put(std::size_t k, double value, double standard_error = undefined) {
    curve.value[static_cast<Index>(k)] = std::isfinite(value) ? value : undefined;
    curve.standard_error[static_cast<Index>(k)] = standard_error;
  }
  CriterionCurve finished() {
    if (!curve.standard_error.array().isFinite().any()) curve.standard_error.resize(0);
    return std::move(curve);
  }
};

/// Means of the folds, whole or weighted by importance.
Vector fold_means(const HeldOut& held_out, bool by_importance) {
  const Vector& sum = by_importance ? held_out.importance_sum : held_out.sum;
  require(sum.size() == held_out.weight.size(), "iwcv needs a learner with importance weights");
  return sum.cwiseQuotient(held_out.weight);
}

/// Means of the density ratio over the folds; ones where rows count alike.
Vector ratio_means(const HeldOut& held_out, bool by_importance) {
  return by_importance ? Vector(held_out.importance.cwiseQuotient(held_out.weight))
                       : Vector::Ones(held_out.weight.size());
}

/// The mean over all folds of the folds' means over that of the density ratio, and its standard error from the spread of what
/// the folds add to the quotient, sd/√K (repeats share the data and do not shrink it).
CriterionCurve mean_of_folds(const FoldMean& formula, const Criterion& criterion, const CriterionContext& c) {
  const auto partitions = partitions_of(criterion, c.learner.rows(), c.groups, c.folds, c.repeats, c.seed);
  const Points points = points_of(c.lambdas);
  const Index m = points.cols();
  Matrix means(0, m);
  Vector ratio;
  for (std::size_t r = 0; r < partitions.size(); ++r) {
    c.progress("cross-validating", static_cast<double>(r) / static_cast<double>(partitions.size()));
    const auto errors = c.learner.held_out(points, c.target, partitions[r], false, c.progress);
    const Index first = means.rows();
    means.conservativeResize(first + partitions[r].count, Eigen::NoChange);
    ratio.conservativeResize(means.rows());
    ratio.tail(partitions[r].count) = ratio_means(errors.front(), formula.by_importance);
    for (Index k = 0; k < m; ++k)
      means.col(k).tail(partitions[r].count) =
          fold_means(errors[static_cast<std::size_t>(k)], formula.by_importance);
  }
  const double mean_ratio = ratio.mean();
  CriterionCurve curve{means.colwise().mean().transpose() / mean_ratio, Vector(m), {}};
  for (Index k = 0; k < m; ++k) {
    // Means of squared errors: their squares may leave the range of numbers.
    const double deviation = (means.col(k) - curve.value[k] * ratio).stableNorm() /
                             std::sqrt(static_cast<double>(means.rows() - 1));
    curve.standard_error[k] = deviation / std::sqrt(partitions.front().count) / mean_ratio;
  }
  return curve;
}

Given given_at(const CriterionContext& c, std::size_t k) {
  return {.sigma2 = c.noise.at(static_cast<Index>(k)), .lags = c.lags, .folds = {}};
}

SicQuestion question_of(const Criterion& criterion, const CriterionContext& c) {
  return {c.metric,
          c.pilot_lambda,
          criterion.covariance == Criterion::Covariance::bootstrap || c.stein_is_blind,
          c.bootstrap,
          c.seed,
          c.progress,
          criterion.reference,
          c.noise.at_point ? undefined : c.noise.at(0)};
}

/// The variance σ² tr(U L Lᵀ) of linear fits, and what it leaves of the criterion: the squared bias.
void tell_bias_from_variance(const SicAccount& account, const CriterionContext& c, CriterionCurve& curve) {
  Vector variance(curve.value.size()), bias(curve.value.size());
  for (Index k = 0; k < variance.size(); ++k) {
    const double sigma2 = c.noise.at(k);
    const auto target = account.squared_target ? account.squared_target(sigma2) : std::nullopt;
    variance[k] = sigma2 * account.parts[static_cast<std::size_t>(k)].spread;
    bias[k] = curve.value[k] + target.value_or(0) - variance[k];
    curve.bias_less_constant = !target;
  }
  if (!variance.array().isFinite().any()) return;
  curve.variance = std::move(variance);
  curve.squared_bias = std::move(bias);
}

CriterionCurve mean_by_importance(const CriterionContext& c) {
  require(c.learner.is_shifted(), "iwloo needs importance weights, which this learner has not");
  const Points points = points_of(c.lambdas);
  const Matrix residual = c.learner.unseen_residuals(points, c.target, {}, true, c.progress).residual;
  const Vector& ratio = c.learner.solved()->importance();
  CurveMaker maker(c.lambdas.size());
  for (std::size_t k = 0; k < c.lambdas.size(); ++k) {
    const WeightedMean mean = weighted_mean(residual.col(static_cast<Index>(k)).cwiseAbs2(), ratio);
    maker.put(k, mean.value, mean.standard_error);
  }
  return maker.finished();
}

double blended(const Blend& blend, double n, double left_out, double evidence) {
  return left_out > 0 ? blend.share * n * std::log(left_out) + (1 - blend.share) * evidence : undefined;
}

std::string overfit_warning(double df, double n) {
  return fmt::format(
      "effective parameters {:.4g} exceed 0.8 of the {:.0f} observations: the training error nearly vanishes "
      "and so does this estimate; use cv or loo",
      df, n);
}

}  // namespace

Account account_of(const Formula& formula) {
  return std::visit(Overloaded{[](const CountsFormula&) { return Account::counts; },
                               [](const ScoresFormula&) { return Account::scores; },
                               [](const LeftOutFormula&) { return Account::left_out; },
                               [](const FoldMean&) { return Account::held_out; },
                               [](const EvidenceFormula&) { return Account::evidence; },
                               [](const SicFormula&) { return Account::sic; },
                               [](const Blend&) { return Account::left_out; },
                               [](const LeftOutByImportance&) { return Account::left_out; }},
                    formula);
}

std::string Criterion::undefined_for(const Learner& learner, const Metric& metric) const {
  if (refuses) {
    if (std::string why = refuses(learner, metric); !why.empty()) return why;
  }
  if (needs_cost) {
    if (std::string why = learner.lacks(Account::scores, metric); !why.empty()) return why;
  }
  if (learner.iterative() && (needs_noise || target.of == Target::Of::log_likelihood))
    return "it is made for learners that are linear in y; use cv or evidence";
  if (covariance == Covariance::bootstrap) {
    if (std::string why = learner.lacks(Account::resampled, metric); !why.empty()) return why;
  }
  if (std::holds_alternative<Blend>(formula)) {
    if (std::string why = learner.lacks(Account::evidence, metric); !why.empty()) return why;
  }
  return learner.lacks(needs(), metric);
}

CriterionCurve Criterion::evaluate(const CriterionContext& c) const {
  const Points points = points_of(c.lambdas);
  CurveMaker maker(c.lambdas.size());
  return std::visit(
      Overloaded{[&](const CountsFormula& own) {
                   const auto counts = c.learner.counts(points, c.target, needs_squares, false);
                   for (std::size_t k = 0; k < counts.size(); ++k) {
                     if (!countable(counts[k])) continue;
                     const Given given = given_at(c, k);
                     maker.put(k, own(counts[k], given),
                               deviation ? deviation(counts[k], given.sigma2) : undefined);
                   }
                   return maker.finished();
                 },
                 [&](const ScoresFormula& own) {
                   const Index lags = argument == Argument::lags ? c.lags : 0;
                   const auto scores = c.learner.scores(points, c.target, lags, false);
                   for (std::size_t k = 0; k < scores.size(); ++k)
                     maker.put(k, own(scores[k], given_at(c, k)));
                   return maker.finished();
                 },
                 [&](const LeftOutFormula& own) {
                   const auto errors = c.learner.left_out(points, c.target, false, c.progress);
                   for (std::size_t k = 0; k < errors.size(); ++k)
                     maker.put(k, own(errors[k], given_at(c, k)), errors[k].standard_error);
                   return maker.finished();
                 },
                 [&](const FoldMean& own) { return mean_of_folds(own, *this, c); },
                 [&](const EvidenceFormula& own) {
                   const auto parts = c.learner.evidence(points, c.target, false);
                   for (std::size_t k = 0; k < parts.size(); ++k) maker.put(k, own(parts[k], given_at(c, k)));
                   return maker.finished();
                 },
                 [&](const Blend& own) {
                   const Vector left_out = loo.evaluate(c).value, likelihood = evidence.evaluate(c).value;
                   for (std::size_t k = 0; k < c.lambdas.size(); ++k)
                     maker.put(k, blended(own, c.learner.count(), left_out[static_cast<Index>(k)],
                                          likelihood[static_cast<Index>(k)]));
                   return maker.finished();
                 },
                 [&](const LeftOutByImportance&) { return mean_by_importance(c); },
                 [&](const SicFormula& own) {
                   const SicQuestion question = question_of(*this, c);
                   const SicAccount account = c.learner.sic(points, c.target, question, false);
                   for (std::size_t k = 0; k < account.parts.size(); ++k) {
                     const SicParts& parts = account.parts[k];
                     const Given given = given_at(c, k);
                     const double sigma2 = std::isnan(parts.sigma2) ? given.sigma2 : parts.sigma2;
                     maker.put(k, own(parts, given),
                               quadratic_form_deviation(parts.squares, parts.squared_signal, sigma2));
                   }
                   CriterionCurve curve = maker.finished();
                   curve.covariance = account.covariance;
                   curve.by_divergence = account.by_divergence;
                   curve.gamma = account.gamma;
                   if (reference == Reference::least_squares && !question.bootstrap)
                     tell_bias_from_variance(account, c, curve);
                   if (account.constant && !c.noise.per_lambda())
                     curve.constant = account.constant(c.noise.at(0));
                   return curve;
                 }},
      formula);
}

Estimate Criterion::at(const Learner& learner, const Vector& point, const Given& given, bool gradient) const {
  const Points points = point;
  const Progress silent;
  const Metric metric{Metric::Kind::train, {}, "train"};
  const auto judged = [&](const auto& own, const auto& account, double df, double n) {
    Estimate out = estimate_of(own, account, given, gradient);
    if (!may_choose(df, n)) {
      out.overfitted = true;
      if (out.warning.empty()) out.warning = overfit_warning(df, n);
    }
    return out;
  };
  Estimate out = std::visit(
      Overloaded{
          [&](const CountsFormula& own) {
            require(!needs_noise || std::isfinite(given.sigma2),
                    "cp and sic need the noise variance; give a number, or use loo or cv");
            const Counts counts = learner.counts(points, 0, needs_squares, gradient).front();
            return judged(own, counts, counts.df, counts.n);
          },
          [&](const ScoresFormula& own) {
            const Index lags = argument == Argument::lags ? given.lags : 0;
            const Scores scores = learner.scores(points, 0, lags, gradient).front();
            return judged(own, scores, scores.df, scores.observations);
          },
          [&](const LeftOutFormula& own) {
            return judged(own, learner.left_out(points, 0, gradient, silent).front(), 0, 1);
          },
          [&](const FoldMean& own) {
            require(!given.folds.empty(), "cv: no folds were given; give at least one partition of the rows");
            Estimate mean;
            mean.value = 0;
            double ratio = 0;
            for (const Folds& folds : given.folds) {
              const HeldOut errors = learner.held_out(points, 0, folds, gradient, silent).front();
              if (mean.warning.empty()) mean.warning = errors.trouble;
              const Vector share =
                  (errors.weight * static_cast<double>(errors.weight.size() * given.folds.size()))
                      .cwiseInverse();
              mean.value += share.dot(own.by_importance ? errors.importance_sum : errors.sum);
              if (own.by_importance) ratio += share.dot(errors.importance);
              if (!gradient || !errors.slopes || !std::isfinite(mean.value)) continue;
              const Vector slope = errors.slopes({share.data(), static_cast<std::size_t>(share.size())});
              mean.gradient = mean.gradient.size() ? Vector(mean.gradient + slope) : slope;
            }
            if (own.by_importance) mean.value /= ratio, mean.gradient /= ratio;
            return mean;
          },
          [&](const EvidenceFormula& own) {
            return judged(own, learner.evidence(points, 0, gradient).front(), 0, 1);
          },
          [&](const Blend& own) {
            const double n = learner.count();
            const Estimate left_out = loo.at(learner, point, given, gradient),
                           likelihood = evidence.at(learner, point, given, gradient);
            Estimate both;
            both.value = blended(own, n, left_out.value, likelihood.value);
            both.warning = left_out.warning.empty() ? likelihood.warning : left_out.warning;
            if (gradient)
              both.gradient =
                  own.share * n / left_out.value * left_out.gradient + (1 - own.share) * likelihood.gradient;
            return both;
          },
          [&](const LeftOutByImportance&) { return Estimate{}; },  // searches know no importance weights
          [&](const SicFormula& own) {
            require(!needs_noise || std::isfinite(given.sigma2),
                    "cp and sic need the noise variance; give a number, or use loo or cv");
            const SicQuestion question{metric, undefined, false, {}, 0, silent};
            return judged(own, learner.sic(points, 0, question, gradient).parts.front(), 0, 1);
          }},
      formula);
  if (gradient && out.gradient.size() == 0)  // nothing to follow at infinity, nothing known elsewhere
    out.gradient = Vector::Constant(point.size(), std::isinf(out.value) ? 0 : undefined);
  if (!std::isfinite(out.value) && out.warning.empty())
    out.warning = "the numbers overflow or vanish at these parameters; keep them nearer their units";
  return out;
}

}  // namespace gnomon
