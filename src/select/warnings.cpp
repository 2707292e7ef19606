#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.hpp"
#include "criteria_list.hpp"
#include "decompose/decomposition.hpp"
#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/data/weights.hpp"
#include "path_search.hpp"

namespace gnomon {
namespace {

using Warnings = std::vector<std::string>;

template <class Condition>
bool reports(const TargetFindings& found, const Condition& condition) {
  const auto& criteria = found.laid_out().criteria;
  return std::any_of(criteria.begin(), criteria.end(),
                     [&](const CriterionOutcome& c) { return condition(c.criterion); });
}

/// Measured against a reference: the SIC family.
bool has_reference(const Criterion& c) { return c.needs() == Account::sic; }
/// The reference is least squares and the covariance term a trace or divergence: SIC itself.
bool is_unbiased_sic(const Criterion& c) {
  return has_reference(c) && c.reference == Criterion::Reference::least_squares &&
         c.covariance == Criterion::Covariance::divergence;
}

bool is_known(const NoiseVariance& noise) { return noise.value.array().isFinite().any(); }

/// The automatic grid begins where the penalty hardly counts. That such a fit is best is no bad news where rows are many for it: with
/// a few columns, say. A weight and copies make no more rows of one: what can be passed through is counted.
bool needs_no_penalty(const TargetFindings& found) {
  constexpr double clearly = 0.5;
  const double distinct = found.learner().count() - found.repeats.freedom;
  return found.request.lambda.automatic() && found.laid_out().chosen().grid_index == 0 &&
         found.result.chosen_df <= clearly * distinct;
}

void warn_of_edges(const TargetFindings& found, Warnings& w) {
  const SelectionPath& path = found.laid_out();
  const PathOutcome& first = path.chosen();
  for (const auto& c : path.criteria) {
    if (!c.selected) {
      const bool for_noise = c.criterion.needs_noise && !is_known(found.result.noise);
      if (!c.curve.value.array().isFinite().any() && !for_noise)
        w.push_back(fmt::format(
            "{} is undefined along the whole path{}.", c.label,
            c.criterion.mean_leverage && found.repeats.are_copies()
                ? ": it is least where the fit passes through all rows, which copies of rows make "
                  "look cheap"
                : ""));
    } else if (c.selected->at_edge && &c == &first && !needs_no_penalty(found)) {
      const bool low = c.grid_index == 0;
      w.push_back(fmt::format("The minimum of {} lies at the {} end of the grid, λ = {}: {}", c.label,
                              low ? "lower" : "upper", pretty(c.lambda),
                              !found.request.lambda.automatic() ? "widen `lambda`."
                              : low ? "the criterion prefers no regularization at all."
                                    : "the criterion prefers the constant (null) model."));
    }
  }
  const auto at_end = [](const std::vector<double>& values, double chosen) {
    if (values.empty()) return false;
    double low = HUGE_VAL, high = -HUGE_VAL;  // of those that have one: kernels without a width do not
    for (const double value : values) low = std::fmin(low, value), high = std::fmax(high, value);
    return low < high && (chosen == low || chosen == high);
  };
  if (at_end(path.width, first.width))
    w.push_back(fmt::format("The chosen width {} lies at an end of the widths tried: widen `width`.",
                            pretty(first.width)));
  const auto& tuning = found.request.learner->tuning;
  const bool natural_end = tuning && tuning->ends_naturally_at(first.tuning);
  if (at_end(path.tuning, first.tuning) && !natural_end)
    w.push_back(fmt::format("The chosen {} {} lies at an end of the values tried: widen `{}`.",
                            path.tuning_name, pretty(first.tuning), path.tuning_name));
}

/// Criteria that correct the training error of the same fit vanish with it, and would then choose the interpolant.
void warn_of_refused_points(const TargetFindings& found, Warnings& w) {
  const SelectionPath& path = found.laid_out();
  const double n = found.learner().count();
  std::vector<std::string> held_back, without_choice;
  double share = 1;
  for (const auto& c : path.criteria) {
    Index least = -1;
    for (Index k = 0; k < c.curve.value.size(); ++k) {
      const double value = c.curve.value[k];
      if (std::isfinite(value) && (least < 0 || value < c.curve.value[least])) least = k;
    }
    if (least < 0 || c.criterion.may_choose(path.df[least], n)) continue;
    (c.selected ? held_back : without_choice).push_back(c.label);
    share = c.criterion.most_df;
  }
  const std::string where =
      fmt::format("at more than {} degrees of freedom ({} n), where the training error vanishes",
                  pretty(share * n, 4), share);
  if (!held_back.empty())
    w.push_back(fmt::format(
        "The least value of {} lies {} and the estimate with it: such points were left out of the "
        "choice. Trust loo or cv more here.",
        join(held_back), where));
  if (!without_choice.empty())
    w.push_back(fmt::format("{} chose nothing: every fit of the path lies {}.", join(without_choice), where));
}

void warn_of_noise(const TargetFindings& found, Warnings& w) {
  std::vector<std::string> resting;
  for (const auto& c : found.laid_out().criteria) {
    if (c.criterion.needs_noise) resting.push_back(c.label);
  }
  if (!resting.empty() && !is_known(found.result.noise))
    w.push_back(
        fmt::format("The noise variance is not determined: {}. {} need{} it and {} undefined; give `noise` "
                    "if you know it.",
                    found.result.noise.reason, join(resting), resting.size() == 1 ? "s" : "",
                    resting.size() == 1 ? "is" : "are"));
}

/// Rows entered twice make held-out errors too small, and an interpolant's mean leverage too.
void warn_of_copies(const TargetFindings& found, Warnings& w) {
  constexpr double few = 0.05;
  const double n = found.learner().count(), copies = found.repeats.copies;
  if (found.learner().repeats_rows() || !found.repeats.are_copies() || copies < few * n) return;
  w.push_back(
      fmt::format("{} of {} rows are copies of others, inputs and target alike. A copy is predicted from its "
                  "twin, so loo and cv are too "
                  "small. Leave the copies out unless they are observations of their own.",
                  pretty(copies, 6), pretty(n, 6)));
}

/// Whether it rests on the residuals of one fit alone: by the mean leverage, or by a noise variance taken from GCV's choice.
bool rests_on_gcv(const Criterion& c, const NoiseVariance& noise) {
  return c.mean_leverage || (c.needs_noise && noise.at_gcv_minimum);
}

/// GCV replaces every leverage by their mean. Where leave-one-out, which does not, is far larger at GCV's minimum, the
/// noise variance taken there is too small. It matters if that chose.
void warn_of_unequal_leverages(const TargetFindings& found, Warnings& w) {
  constexpr double clearly = 1.5;
  const PathOutcome& first = found.laid_out().chosen();
  if (found.paths.size() != 1 || !rests_on_gcv(first.criterion, found.result.noise)) return;
  const auto minimum = gcv_minimum(found.paths.front());
  if (!minimum) return;
  const Index at = static_cast<Index>(*minimum);
  const double least = least_gcv(found.paths.front());
  for (const auto& c : found.laid_out().criteria) {
    const bool left_out = c.criterion.needs() == Account::left_out && c.kind == ErrorKind::prediction;
    if (!left_out || !(c.curve.value[at] > clearly * least)) continue;
    w.push_back(
        fmt::format("Leverages are very unequal: where GCV is least, {} is {} times as large, so {} is too "
                    "optimistic. Choose by {}.",
                    c.label, pretty(c.curve.value[at] / least, 2), first.label, c.label));
  }
}

/// The point of a path nearest to what a criterion would choose.
Index nearest_point(const SelectionPath& path, const PathOutcome& c) {
  Index best = -1;
  double least = HUGE_VAL;
  for (std::size_t k = 0; k < path.lambda.size(); ++k) {
    const bool same = (path.width.empty() || path.width[k] == c.width) &&
                      (path.tuning.empty() || path.tuning[k] == c.tuning) &&
                      (path.representation.empty() || path.representation[k] == c.representation);
    const double distance = std::abs(std::log(path.lambda[k] / c.lambda));
    if (same && distance < least) least = distance, best = static_cast<Index>(k);
  }
  return best;
}

/// An estimate of squared error on data like the training rows, that should choose as leave-one-out does.
bool should_agree(const CriterionOutcome& c, const Metric& metric) {
  const bool elsewhere =
      c.criterion.target.where == Target::Where::at_test_inputs ||
      (c.criterion.target.where == Target::Where::in_metric && metric.kind != Metric::Kind::train);
  return c.selected && c.kind == ErrorKind::prediction && !elsewhere && c.criterion.most_df == 1 &&
         c.criterion.reference == Criterion::Reference::least_squares &&
         c.criterion.covariance == Criterion::Covariance::divergence;
}

/// Named, or part of `all`; not what `auto` reports beside its own choice.
bool was_asked_for(const SelectionRequest& request, const CriterionOutcome& c) {
  return std::any_of(request.criteria.begin(), request.criteria.end(), [&](const std::string& name) {
    const CriterionWord word = criterion_word(name);
    return word == CriterionWord::all ||
           (word == CriterionWord::one && find_criterion(name).label == c.label);
  });
}

/// Criteria that estimate one error and differ by decades in λ, where held-out rows tell their choices apart.
void warn_of_disagreement(const TargetFindings& found, Warnings& w) {
  constexpr double decades = 2, materially = 1.25;
  const SelectionPath& path = found.laid_out();
  const auto holds_out = [&](const PathOutcome& c) {
    const Account needs = c.criterion.needs();
    return (needs == Account::left_out || needs == Account::held_out) && should_agree(c, found.metric);
  };
  const auto judge = std::find_if(path.criteria.begin(), path.criteria.end(), holds_out);
  if (judge == path.criteria.end()) return;
  const double least = judge->selected->value, spread = judge->selected->standard_error;
  std::vector<std::string> apart;
  double times = 0, most_decades = 0;
  bool smaller = true, by_noise = false;
  for (const PathOutcome& c : path.criteria) {
    const double away = std::log10(judge->lambda / c.lambda);
    if (holds_out(c) || !should_agree(c, found.metric) || !(std::abs(away) >= decades)) continue;
    if (!was_asked_for(found.request, c)) continue;
    const Index at = nearest_point(path, c);
    const double there = at < 0 ? undefined : judge->curve.value[at];
    if (!(there > materially * least) || there < least + 2 * spread) continue;
    apart.push_back(c.label);
    times = std::max(times, there / least), most_decades = std::max(most_decades, std::abs(away));
    smaller = smaller && away > 0;
    by_noise = by_noise || c.criterion.needs_noise;
  }
  if (apart.empty()) return;
  w.push_back(
      fmt::format("{} would choose a λ {} decades {} that of {}, where {} is {} times as large. They should "
                  "agree: trust {}{}.",
                  join(apart), pretty(most_decades, 2), smaller ? "below" : "away from", judge->label,
                  judge->label, pretty(times, 2), judge->label,
                  by_noise && smaller && std::isfinite(found.result.noise.at(0))
                      ? fmt::format(" (the noise variance, {} by {}, may be too small)",
                                    pretty(found.result.noise.at(0), 2), found.result.noise.method)
                      : ""));
}

void warn_of_spectrum(const TargetFindings& found, const Smoother& smoother, Warnings& w) {
  const SelectionPath& path = found.laid_out();
  const Spectrum& spectrum = path.spectrum;
  const Metric::Kind metric = found.metric.kind;
  const Index missing = smoother.columns() - spectrum.values.size();
  if (!smoother.is_kernel() && missing > 0 && metric == Metric::Kind::points) {
    w.push_back(
        fmt::format("The design has rank {} with {} columns, so no unbiased reference exists on the given "
                    "points: sic carries a bias.",
                    spectrum.values.size(), smoother.columns()));
  }
  const double cut = spectrum.range_tolerance * spectrum.top();  // 0 where no spectrum was kept
  const Index below = (spectrum.values.array() <= cut).count();
  const bool cut_matters = metric == Metric::Kind::function_space || path.chosen().lambda < 1e3 * cut;
  if (smoother.is_kernel() && !smoother.filter().whole_range && below > 0 && cut_matters) {
    w.push_back(fmt::format(
        "{} of {} eigenvalues of the kernel matrix are at rounding level and are treated as zero.", below,
        spectrum.values.size()));
  }
  if (const double lost = smoother.decomposition().lost_below(); path.chosen().lambda < 1e3 * lost) {
    const Vector& values = smoother.spectrum().values;
    w.push_back(
        fmt::format("The kernel hardly varies over these rows: {} of {} eigenvalues of its matrix are lost "
                    "in the rounding "
                    "of its entries; take a smaller `width`, or `scale` standard.",
                    (values.array() <= lost).count(), values.size()));
  }
  if (is_unbiased_sic(path.chosen().criterion) && metric == Metric::Kind::function_space &&
      smoother.filter().shift == Shift::plain) {
    w.emplace_back(
        "sic in the function space has very large variance under the penalty 'function'; prefer `metric` "
        "train or `penalty` coefficients.");
  }
  const double variance = smoother.total(found.target) / smoother.count();
  for (const auto& c : path.criteria) {
    if (is_unbiased_sic(c.criterion) && metric == Metric::Kind::points && c.selected &&
        c.selected->standard_error > variance) {
      w.emplace_back(
          "sic has no usable precision on these points, because least squares on the kernel matrix is its "
          "reference; use loo, `metric` train, or a basis.");
    }
  }
}

/// Excess kurtosis of the residuals in units of its standard error under Gaussian noise, √(24/n).
struct Kurtosis {
  double excess = 0, z = 0;
};

Kurtosis kurtosis_of(const Vector& residual, const Vector& weight) {
  const Vector w = weight.size() ? weight : Vector::Ones(residual.size());
  const double n = w.sum(), mean = residual.dot(w) / n;
  const auto e = (residual.array() - mean).square();
  const double variance = (w.array() * e).sum() / n;
  if (!(variance > 0)) return {};
  const double excess = (w.array() * e.square()).sum() / n / (variance * variance) - 3;
  return {excess, excess / std::sqrt(24 / n)};
}

void warn_of_heavy_tails(const TargetFindings& found, const PathLearner& learner, Warnings& w) {
  constexpr double clearly = 4;  // the statistic is skewed to the right in small samples
  const auto& criteria = found.laid_out().criteria;
  const bool stein = std::any_of(criteria.begin(), criteria.end(), [&](const auto& c) {
    const bool counted = c.criterion.needs() == Account::counts && c.criterion.needs_noise;
    return (counted || c.curve.by_divergence) && was_asked_for(found.request, c);
  });
  if (!stein || learner.solver().dependence() == Dependence::affine || learner.rows() < 20) return;
  const Vector residual = learner.target(found.target) - learner.fitted(*found.laid_out().solution);
  const Kurtosis k = kurtosis_of(residual, learner.weight());
  if (k.z > clearly)
    w.push_back(fmt::format(
        "The residuals have heavier tails than Gaussian noise (excess kurtosis {}, {} standard errors): "
        "Stein's identity does not hold for them, so the divergence term of sic, sure and cp is doubtful. cv "
        "and "
        "basic do not rest on it, but with outliers a few rows decide every squared error.",
        pretty(k.excess, 2), pretty(k.z, 2)));
}

/// Second-order criteria of Huber have gaps where the Hessian is singular.
void warn_of_flat_loss(const TargetFindings& found, const PathLearner& learner, Warnings& w) {
  if (!std::isfinite(learner.loss_turn())) return;
  for (const auto& c : found.laid_out().criteria) {
    const bool bayesian = c.criterion.needs() == Account::evidence;
    const bool second_order = c.criterion.needs_squares || bayesian || c.criterion.needs() == Account::scores;
    if (!second_order || !c.selected) continue;
    Index gaps = 0;
    for (Index k = 0; k < c.curve.value.size(); ++k) {
      const bool no_penalty = found.laid_out().lambda[static_cast<std::size_t>(k)] == 0;
      const bool no_prior = bayesian && no_penalty;
      gaps += !std::isfinite(c.curve.value[k]) && !no_prior;
    }
    if (gaps > 0)
      w.push_back(fmt::format(
          "{} is undefined at {} of {} points of the path: too few rows lie within tau to give the loss a "
          "regular Hessian, or the fit failed.",
          c.label, gaps, c.curve.value.size()));
  }
}

void warn_of_solution(const TargetFindings& found, const PathLearner& learner, Warnings& w) {
  const SelectionPath& path = found.laid_out();
  const PathFit& fit = *path.solution;
  Index failed = 0;
  for (const auto& each : found.paths)
    failed +=
        std::count_if(each.fits->begin(), each.fits->end(), [](const PathFit& f) { return !f.converged; });
  if (failed > 0)
    w.push_back(fmt::format(
        "{} of {} fits of the path stopped before their optimality certificate was reached; they are not "
        "considered.",
        failed, path.lambda.size()));
  if (!fit.unique)
    w.emplace_back(
        "The chosen fit is not the only minimiser of its objective (the design or the active set is rank "
        "deficient, or the offset is not determined); another one may predict differently.");
  const bool family = reports(found, has_reference);
  const bool on_points = found.metric.kind == Metric::Kind::points;
  if (family && !learner.is_kernel()) {
    const bool few_rows = learner.rows() <= learner.columns();
    const Index rank = on_points ? learner.smoother().spectrum().values.size() : learner.columns();
    if (on_points && rank < learner.columns())
      w.push_back(fmt::format(
          "The design has rank {} with {} columns: no unbiased reference exists on the given points, "
          "least squares of least norm is taken and sic carries a bias.",
          rank, learner.columns()));
    if (!on_points && few_rows)
      w.push_back(fmt::format(
          "{} rows for {} columns: no unbiased reference exists away from the training inputs; sic is "
          "measured at them, where the targets themselves serve.",
          learner.rows(), learner.columns()));
  }
  const bool blind = std::isfinite(learner.loss_turn()) && !path.tuning.empty() &&
                     std::find(path.lambda.begin(), path.lambda.end(), 0.0) != path.lambda.end();
  if (blind && reports(found, [](const Criterion& c) { return c.rests_on_divergence; }))
    w.emplace_back(
        "Without a ridge term (λ = 0) the Stein term is the same for every tau: criteria made of it always "
        "prefer least "
        "squares, and for sic the bootstrap is used instead. Choose tau by cv or basic, or over a grid of λ "
        "> 0.");
  warn_of_heavy_tails(found, learner, w);
  warn_of_flat_loss(found, learner, w);
}

/// Rank of √W Φ (about the weighted means where there is an intercept): what the reference of sic is solved with. Well
/// conditioned cross products settle it in one pass; only doubtful ones ask for singular values.
Index weighted_rank(const PathLearner& learner) {
  constexpr double clearly = 1e-10;
  const Vector& weight = learner.importance();
  Matrix design = learner.features();
  if (learner.intercept()) design.rowwise() -= (weight.transpose() * design / weight.sum()).eval();
  design = weight.cwiseSqrt().asDiagonal() * design;
  for (Index j = 0; j < design.cols(); ++j)  // a rank does not depend on units
    if (const double norm = design.col(j).stableNorm(); norm > 0) design.col(j) /= norm;
  if (design.rows() > design.cols()) {
    const Vector values = lapack::symmetric_eigen(lapack::product(design, true, design, false)).values;
    if (values[values.size() - 1] > clearly * values[0]) return design.cols();
  }
  const double tolerance =
      static_cast<double>(std::max(design.rows(), design.cols())) * std::numeric_limits<double>::epsilon();
  const Vector s = lapack::thin_svd(std::move(design)).s;
  return (s.array() > tolerance * s[0]).count();
}

/// sic measures every fit against the fully weighted one, so it is no better than that.
void warn_of_weighted_reference(const TargetFindings& found, const PathLearner& learner, Warnings& w) {
  const bool on_points = found.metric.kind == Metric::Kind::points;
  if (!on_points || learner.is_kernel() || !reports(found, has_reference)) return;
  const Index columns = learner.columns() + (learner.intercept() ? 1 : 0);
  const Index lost = learner.smoother().spectrum().values.size() - weighted_rank(learner);
  const double strength = effective_sample_size(learner.importance());
  if (lost > 0) {
    w.push_back(
        fmt::format("The weights take {} of {} dimensions away from the design (rows of weight near zero): "
                    "the reference of "
                    "sic, fully weighted least squares, is not determined there and sic carries a bias; use "
                    "iwcv, or fewer "
                    "columns.",
                    lost, learner.columns()));
  } else if (strength < 2 * static_cast<double>(columns)) {
    w.push_back(fmt::format(
        "The reference of sic, fully weighted least squares, rests on an effective sample size of {} for {} "
        "parameters: sic is unreliable; use iwcv, or fewer columns.",
        pretty(strength, 3), columns));
  }
}

/// Importance weights: what an end of the exponents means, and whether enough rows are left to fit and to judge.
void warn_of_shift(const TargetFindings& found, const PathLearner& learner, Warnings& w) {
  const SelectionPath& path = found.laid_out();
  const Vector& importance = learner.importance();
  if (importance.size() == 0) return;
  const bool tuned = found.request.learner->tunes_exponent();
  const double exponent = tuned ? path.chosen().tuning : fixed_exponent(found.request);
  const double strength = effective_sample_size(flattened(importance, exponent));
  const std::string rows =
      fmt::format("{} of {} rows", strength < 100 ? pretty(strength, 3) : pretty(std::round(strength), 12),
                  importance.size());
  const bool several = tuned && !path.tuning.empty();
  if (several && exponent == 0)
    w.push_back(fmt::format(
        "{} chose flattening 0, ordinary least squares: by its measure weighting did not help on these data.",
        path.chosen().label));
  if (several && exponent == 1)
    w.push_back(fmt::format(
        "{} chose flattening 1, fully weighted least squares: least bias at the test inputs, but the largest "
        "variance, for the weights leave the strength of {}.",
        path.chosen().label, rows));
  if (strength < 2 * found.result.chosen_df)
    w.push_back(fmt::format(
        "The weights of the chosen fit leave the strength of {} for {} degrees of freedom: a few rows decide "
        "the fit; use fewer columns, a ridge term (`lambda`) or a smaller `flattening`.",
        rows, pretty(found.result.chosen_df, 3)));
  warn_of_weighted_reference(found, learner, w);
}

}  // namespace

std::vector<std::string> warnings_of(const TargetFindings& found) {
  Warnings w;
  warn_of_edges(found, w);
  warn_of_refused_points(found, w);
  warn_of_noise(found, w);
  warn_of_copies(found, w);
  warn_of_disagreement(found, w);
  const Learner& learner = found.learner();
  if (const Smoother* smoother = learner.linear()) warn_of_spectrum(found, *smoother, w);
  if (const PathLearner* solved = learner.solved()) {
    warn_of_solution(found, *solved, w);
    warn_of_shift(found, *solved, w);
  }
  warn_of_unequal_leverages(found, w);
  if (learner.count() < static_cast<double>(learner.rows())) {
    w.push_back(
        fmt::format("The weights sum to {}, less than the {} rows: a weight is read as a count; rescale "
                    "the weights if they are not.",
                    pretty(learner.count(), 6), learner.rows()));
  }
  return w;
}

}  // namespace gnomon
