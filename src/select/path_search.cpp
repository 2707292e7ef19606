#include "path_search.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

#include "after_choosing.hpp"
#include "averaging.hpp"
#include "core/text.hpp"
#include "criteria/partitions.hpp"
#include "criteria_list.hpp"
#include "decompose/decomposition.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/noise/noise.hpp"
#include "held_out_predictions.hpp"
#include "judge_chosen.hpp"
#include "noise/methods.hpp"
#include "paired_differences.hpp"
#include "repeated_choice.hpp"
#include "smallest_exponent.hpp"
#include "training_rows.hpp"

namespace gnomon {
namespace {

/// Beyond this many rows a further λ of leave-one-out is no longer free, and its minimum is interpolated.
constexpr Index cheap_rows = 5000;

/// The λ with the least GCV on a path: the reference point of regularised SIC.
double pilot_of(const TargetPath& path) {
  const auto at = gcv_minimum(path);
  return at ? path.lambdas()[*at] : path.lambdas().back();
}

/// The least value of the GCV that the noise variance is taken at, or infinity.
double least_cautious(const TargetPath& path) {
  double least = HUGE_VAL;
  for (const Counts& counts : path.counts) {
    const double score = cautious_gcv_score(counts);
    if (score < least) least = score;
  }
  return least;
}

void append(Vector& to, const Vector& values) {
  to.conservativeResize(to.size() + values.size());
  to.tail(values.size()) = values;
}

class TargetSelector {
 public:
  TargetSelector(const TrainingData& data, TargetFindings& found, const Progress& progress)
      : data_(data),
        found_(found),
        request_(found.request),
        result_(found.result),
        path_(found.laid_out()),
        progress_(progress) {}

  void run(const std::vector<AskedCriterion>& criteria) {
    lay_out();
    result_.noise = choose_noise();
    for (const auto& c : criteria) path_.criteria.push_back(evaluate(c.request));
    if (request_.criteria.size() == 1 && names_several(request_.criteria.front())) prefer_defined();
    found_.chosen = path_of_choice_.front();
    check_chosen();
    describe_chosen();
  }

 private:
  void lay_out() {
    const auto several = [&](double Candidate::*value) {
      return std::any_of(found_.paths.begin(), found_.paths.end(), [&](const TargetPath& p) {
        return p.candidate->*value != found_.paths.front().candidate->*value &&
               !std::isnan(p.candidate->*value);
      });
    };
    const bool widths = several(&Candidate::width), tunings = several(&Candidate::tuning),
               varies = several_representations(request_);
    std::vector<double> df, error;
    for (const auto& path : found_.paths) {
      for (std::size_t k = 0; k < path.counts.size(); ++k) {
        path_.lambda.push_back(path.lambdas()[k]);
        if (widths) path_.width.push_back(path.candidate->width);
        if (tunings) path_.tuning.push_back(path.candidate->tuning);
        if (varies) path_.representation.push_back(path.candidate->representation);
        df.push_back(path.counts[k].df);
        error.push_back(path.counts[k].rss / path.learner().count());
      }
    }
    path_.representation_name = varying_representation(request_);
    if (data_.test_y.size() && found_.paths.front().fits) path_.test_error = test_errors();
    if (const auto& tuning = request_.learner->tuning) {
      path_.tuning_name = tuning->name;
      path_.tuning_on_log_axis = tuning->log_axis;
    }
    path_.df = Eigen::Map<Vector>(df.data(), static_cast<Index>(df.size()));
    path_.train_error = Eigen::Map<Vector>(error.data(), static_cast<Index>(error.size()));
  }

  Vector test_errors() const {
    std::vector<double> errors;
    const Vector y = data_.test_y.col(found_.target);
    for (const auto& path : found_.paths) {
      const Matrix features = path.learner().solved()->features_at(data_.test_x);
      for (const PathFit& fit : *path.fits)
        errors.push_back((y - ((features * fit.coefficients).array() + fit.offset).matrix()).squaredNorm() /
                         static_cast<double>(y.size()));
    }
    return Eigen::Map<Vector>(errors.data(), static_cast<Index>(errors.size()));
  }

  /// One variance for all candidates, so that criteria stay comparable: that of the one whose GCV (with 1.4 per degree of freedom) is
  /// least; of subsets of the columns, among the largest that leave rows over, where no choice of columns makes it too small (Mallows).
  NoiseVariance choose_noise() const {
    const bool by_columns = !request_.subsets.empty() && request_.basis.alternatives().empty();
    const auto order = [&](const TargetPath& path) {
      const double score = least_cautious(path);
      return std::tuple(std::isinf(score), by_columns ? -path.learner().columns() : 0, score);
    };
    const TargetPath& best =
        *std::min_element(found_.paths.begin(), found_.paths.end(),
                          [&](const TargetPath& a, const TargetPath& b) { return order(a) < order(b); });
    return estimate_noise(
        request_.noise.method(),
        {best.learner(), best.lambdas(), best.counts, found_.target, data_.x, data_.y.col(found_.target),
         data_.weight, request_.seed, &found_.repeats, data_.groups});
  }

  /// Without a ridge term Huber's fit moves with y along the design exactly as least squares does, whatever τ: the Stein
  /// term is the same for every τ and SIC would always prefer least squares.
  bool stein_is_blind() const {
    return std::isfinite(found_.learner().loss_turn()) && !path_.tuning.empty() &&
           std::any_of(path_.lambda.begin(), path_.lambda.end(), [](double l) { return l == 0; });
  }

  CriterionCurve curve_at(const CriterionRequest& c, const TargetPath& path,
                          const std::vector<double>& lambdas, const std::vector<Counts>& counts,
                          double pilot) const {
    const NoiseVariance noise = result_.noise.along(counts);
    return c.criterion.evaluate({path.learner(), found_.target, lambdas, noise, found_.metric, pilot, c.folds,
                                 request_.repeats, request_.seed, progress_, request_.bootstrap,
                                 stein_is_blind(), c.lags, data_.groups});
  }

  CriterionCurve without_copied_fits(const CriterionRequest& c, CriterionCurve curve,
                                     const std::vector<Counts>& counts) const {
    leave_out_copied_fits(c.criterion, found_.repeats, counts, curve.value);
    return curve;
  }

  /// The curve without the points at which the criterion must not choose; `counts` belong to its λ.
  static CriterionCurve eligible(const CriterionRequest& c, const TargetPath& path, CriterionCurve curve,
                                 const std::vector<Counts>& counts) {
    for (Index k = 0; k < curve.value.size(); ++k) {
      if (!c.criterion.may_choose(counts[static_cast<std::size_t>(k)].df, path.learner().count()))
        curve.value[k] = undefined;
    }
    return curve;
  }

  /// Copies of rows leave a criterion of the mean leverage nothing to judge by where the fit interpolates the distinct inputs:
  /// the residuals vanish, and what is left of n − tr H is mostly copies. If it is least there it is least for that reason,
  /// and neither its values nor a choice are worth showing.
  bool is_driven_by_copies(const CriterionRequest& c, const TargetPath& path,
                           const CriterionCurve& curve) const {
    const Replicates& repeats = found_.repeats;
    if (!c.criterion.mean_leverage || !repeats.are_copies()) return false;
    Index least = -1;
    for (Index k = 0; k < curve.value.size(); ++k) {
      if (std::isfinite(curve.value[k]) && (least < 0 || curve.value[k] < curve.value[least])) least = k;
    }
    if (least < 0) return false;
    const Counts& there = path.counts[static_cast<std::size_t>(least)];
    const bool leaves_nothing = there.rss <= 1e-6 * path.learner().total(found_.target);
    return leaves_nothing && !leaves_noise(there, repeats.freedom) && there.left < 2 * repeats.freedom;
  }

  /// A fit that did not reach its certificate never wins.
  static void drop_failures(const TargetPath& path, CriterionCurve& curve) {
    if (!path.fits) return;
    for (Index k = 0; k < curve.value.size(); ++k) {
      if (!(*path.fits)[static_cast<std::size_t>(k)].converged) curve.value[k] = undefined;
    }
  }

  PathOutcome evaluate(const CriterionRequest& c) {
    const bool robust = std::isfinite(found_.learner().loss_turn()) && c.criterion.own_loss;
    PathOutcome outcome{{c.label, c.criterion,
                         robust ? ErrorKind::huber_loss : c.criterion.kind(found_.metric), c.named_folds()}};
    const bool chooses = path_.criteria.empty();
    std::vector<double> value, error;
    std::vector<PathMinimum> minima;  // the least value of every path, by which they compare
    std::vector<GridMinimum> taken;   // where a rule takes another point, that one
    Vector of_only_path;              // differences that a rule went by, where there is one path
    std::size_t best = 0;
    for (std::size_t i = 0; i < found_.paths.size(); ++i) {
      progress_(fmt::format("{} along the path", c.label),
                static_cast<double>(i) / static_cast<double>(found_.paths.size()));
      const TargetPath& path = found_.paths[i];
      const double pilot = pilot_of(path);
      CriterionCurve curve =
          without_copied_fits(c, curve_at(c, path, path.lambdas(), path.counts, pilot), path.counts);
      drop_failures(path, curve);
      if (is_driven_by_copies(c, path, curve)) curve.value.setConstant(undefined);
      const auto first = static_cast<Index>(value.size());
      value.insert(value.end(), curve.value.begin(), curve.value.end());
      curve = eligible(c, path, std::move(curve), path.counts);
      error.insert(error.end(), curve.standard_error.begin(), curve.standard_error.end());
      outcome.curve.covariance = curve.covariance;
      outcome.curve.by_divergence = curve.by_divergence;
      append(outcome.curve.squared_bias, curve.squared_bias);
      append(outcome.curve.variance, curve.variance);
      outcome.curve.bias_less_constant |= curve.bias_less_constant;
      if (found_.paths.size() == 1) outcome.curve.constant = curve.constant;
      auto selected = select_on_grid(path.lambdas(), curve, Rule::minimum);
      if (!selected) continue;
      const GridMinimum on_grid = *selected;
      if (request_.rule == Rule::paired)
        curve.difference_error = differences(c, {&path, 1}, on_grid.grid_index);
      // Criteria without a standard error take their minimum, unless they are the one that chooses.
      const bool serves =
          (request_.rule == Rule::paired ? curve.difference_error : curve.standard_error).size() > 0;
      const Rule rule = chooses || serves ? Rule(request_.rule) : Rule::minimum;
      if (found_.paths.size() == 1) of_only_path = curve.difference_error;
      if (rule != Rule::minimum)
        selected = select_on_grid(path.lambdas(), curve, rule);
      else if (request_.search == Search::refine)
        selected = refine(c, path, curve, *selected, pilot);
      const GridMinimum& least = rule == Rule::minimum ? *selected : on_grid;
      minima.push_back({i, first + least.grid_index, least});
      taken.push_back(*selected);
      if (minima.size() > 1 && !(least.value < minima[best].found.value)) continue;
      best = minima.size() - 1;
      outcome.curve.gamma = curve.gamma;
    }
    outcome.curve.value = Eigen::Map<Vector>(value.data(), static_cast<Index>(value.size()));
    outcome.curve.standard_error = Eigen::Map<Vector>(error.data(), static_cast<Index>(error.size()));
    if (minima.empty()) {
      path_of_choice_.push_back(0);
      return outcome;
    }
    if (of_only_path.size())
      outcome.curve.difference_error = std::move(of_only_path);
    else if (outcome.curve.standard_error.size())
      outcome.curve.difference_error = differences(c, found_.paths, minima[best].place);
    const PathMinimum& choice =
        takes_smallest_exponent(c.criterion, request_)
            ? smallest_exponent(minima, minima[best], found_.paths, outcome.curve.difference_error)
            : minima[best];
    take(outcome, choice.path, taken[static_cast<std::size_t>(&choice - minima.data())]);
    path_of_choice_.push_back(choice.path);
    return outcome;
  }

  /// Standard errors of what the criterion says of every point less what it says at `least`. Of means over held-out rows they are
  /// found where the rule goes by them; random folds are those of the first repeat.
  Vector differences(const CriterionRequest& c, std::span<const TargetPath> paths, Index least) const {
    const bool is_mean = moves_with_error(c.criterion).how == MovesWithError::How::is_the_mean;
    if (request_.rule != Rule::paired || !is_mean)
      return difference_errors(c.criterion, paths, found_.target, found_.metric, result_.noise, least);
    const bool by_folds = c.criterion.needs() == Account::held_out;
    const Folds folds =
        by_folds ? partitions_of(c.criterion, data_.y.rows(), data_.groups, c.folds, 1, request_.seed).front()
                 : Folds{};
    return held_out_difference_errors(paths, found_.target, folds, choosing_weight(data_, c.criterion),
                                      least);
  }

  void take(PathOutcome& outcome, std::size_t path, const GridMinimum& selected) const {
    const Candidate& candidate = *found_.paths[path].candidate;
    outcome.selected = selected;
    outcome.lambda = selected.lambda;
    outcome.grid_index = selected.grid_index;
    outcome.width = candidate.width;
    outcome.tuning = candidate.tuning;
    outcome.representation = candidate.representation;
  }

  /// Learners with an active set have kinks and jumps along λ; they stay on their (finer) grid.
  GridMinimum refine(const CriterionRequest& c, const TargetPath& path, const CriterionCurve& curve,
                     const GridMinimum& from, double pilot) const {
    const Smoother* smoother = path.learner().linear();
    if (!smoother) return from;
    const bool costly = c.criterion.needs() == Account::held_out ||
                        (c.criterion.needs_leverages() && smoother->rows() > cheap_rows);
    if (costly)
      return smoother->filter().shift == Shift::none ? from
                                                     : interpolate_minimum(from, path.lambdas(), curve);
    return refine_minimum(from, path.lambdas(), [&](const std::vector<double>& lambdas) {
      const auto counts = smoother->counts(points_of(lambdas), found_.target, false, false);
      return eligible(c, path, without_copied_fits(c, curve_at(c, path, lambdas, counts, pilot), counts),
                      counts);
    });
  }

  /// A default that is undefined on these data (no noise is left to estimate, say) leaves the choice to those beside it.
  void prefer_defined() {
    auto& all = path_.criteria;
    const auto defined = std::find_if(all.begin(), all.end(), [](const auto& c) { return c.selected; });
    if (defined == all.end()) return;
    const auto path = path_of_choice_.begin() + (defined - all.begin());
    std::rotate(path_of_choice_.begin(), path, path + 1);
    std::rotate(all.begin(), defined, defined + 1);
  }

  void check_chosen() const {
    const auto& first = path_.chosen();
    if (first.selected) return;
    if (first.criterion.mean_leverage && found_.repeats.are_copies())
      fail(
          "criterion '{}' is undefined here: {} of {} observations are copies of others, and it is "
          "least where "
          "the fit passes through all rows; choose by loo or cv, or leave the copies out",
          first.label, pretty(found_.repeats.copies, 6), pretty(found_.learner().count(), 6));
    const bool for_noise = first.criterion.needs_noise && !result_.noise.value.array().isFinite().any();
    const auto* fits = found_.paths.front().fits;
    require(
        !fits || std::any_of(fits->begin(), fits->end(), [](const PathFit& fit) { return fit.converged; }),
        "no fit of {} reached its optimality certificate; give larger `lambda`", request_.learner);
    require(
        !first.curve.value.array().isFinite().any(),
        "criterion '{}' must not choose here: every fit of the path has more than {} n degrees of freedom, "
        "where the training error it corrects vanishes; choose by loo or cv, or give larger `lambda`",
        first.label, first.criterion.most_df);
    const double count = found_.learner().count();
    const auto rows = static_cast<double>(found_.learner().rows());
    if (count < rows && !for_noise)
      fail(
          "criterion '{}' is undefined along the whole path: the weights of {} rows sum to {}, and a weight "
          "is read "
          "as a count; scale them to the number of observations they stand for, or choose by another "
          "criterion",
          first.label, rows, pretty(count));
    fail("criterion '{}' is undefined along the whole path{}", first.label,
         for_noise
             ? "; the noise variance could not be estimated: give `noise` NUMBER, or choose by loo or cv"
             : "; choose by another criterion, such as cv");
  }

  void describe_chosen() {
    const TargetPath& path = found_.paths[found_.chosen];
    const Counts counts = path.fits ? describe_solution(path) : describe_smoother(*path.learner().linear());
    result_.chosen_df = counts.df;
    result_.chosen_train_error = counts.rss / path.learner().count();
  }

  /// Between the points of the grid, where the search went on there.
  Counts describe_smoother(const Smoother& smoother) {
    result_.strategy = smoother.decomposition().strategy();
    path_.gram_error_bound = smoother.decomposition().gram_error_bound();
    if (request_.keep_spectrum || !smoother.is_kernel() || found_.metric.kind == Metric::Kind::function_space)
      path_.spectrum = smoother.spectrum();
    return smoother.counts(points_of({&path_.chosen().lambda, 1}), found_.target, false, false)[0];
  }

  /// A solved learner stays on its grid, and the fit that was judged is the one that is kept.
  Counts describe_solution(const TargetPath& path) {
    constexpr Index most_entries = 5'000'000;
    const auto& fits = *path.fits;
    const auto at = static_cast<std::size_t>(path_.chosen().grid_index);
    result_.strategy = request_.learner.name();
    path_.solution = fits[at];
    const Index rows = path.learner().columns(), columns = static_cast<Index>(fits.size());
    if (!path.learner().is_kernel() && rows * columns <= most_entries) {
      path_.coefficient_path.resize(rows, columns);
      for (Index k = 0; k < columns; ++k)
        path_.coefficient_path.col(k) = fits[static_cast<std::size_t>(k)].coefficients;
    }
    return path.counts[at];
  }

  const TrainingData& data_;
  TargetFindings& found_;
  const SelectionRequest& request_;
  TargetSelection& result_;
  SelectionPath& path_;
  const Progress& progress_;
  std::vector<std::size_t>
      path_of_choice_;  ///< of every criterion: the one of found_.paths that it chooses from
};

class PathSearcher final : public Searcher {
 public:
  PathSearcher(const TrainingData& data, const SelectionRequest& request, const Metric& metric,
               const WidthSearch* widths, const Progress& progress)
      : data_(data),
        request_(request),
        metric_(metric),
        widths_(widths),
        progress_(progress),
        candidates_(make_candidates(data, request, metric, progress)),
        beside_(further_widths()) {
    if (const PathLearner* solved = learner().solved()) {
      const std::string why = solved->no_divergence();
      require(request.divergence != Divergence::exact || why.empty(), "`divergence` exact: {}", why);
    }
  }

  const Learner& learner() const override { return *candidates_.front().learner; }
  Index targets() const override { return data_.y.cols(); }
  Comparison comparison() const override {
    const Candidate &first = candidates_.front(), &last = candidates_.back();
    const bool kernels = uses_kernel(request_) && request_.kernel.takes_width();
    return {.several_kernels = (kernels && last.width != first.width) ||
                               (uses_kernel(request_) && several_representations(request_)),
            .several_losses = std::isfinite(learner().loss_turn()) && last.tuning != first.tuning};
  }

  TargetSelection search(Index target, const std::vector<AskedCriterion>& criteria) override {
    TargetFindings found =
        find_for_target(data_, request_, metric_, candidates_, criteria, target, progress_);
    chosen_ = &found.learner();
    lambdas_.push_back(found.laid_out().chosen().lambda);
    if (request_.combine == Combine::average) average(found);
    const Smoother* smoother = chosen_->linear();
    const bool judged = judges_chosen(data_, request_);
    if (smoother && smoother->no_leave_one_out().empty() &&
        (smoother->prepared_for_leave_one_out() || judged) && data_.y.rows() > 1)
      found.laid_out().leave_one_out_residual =
          found.averaged ? left_out_residuals(*found.averaged, target)
                         : smoother->leave_one_out_residuals(lambdas_.back(), target, Deletion::whole_row);
    if (request_.keep_held_out) hold_out(found.result, target);
    if (judged) {
      try {
        found.result.error = error_along_paths(data_, found, widths_, progress_);
      } catch (const Error&) {  // a fit without some of the rows fails: nested folds say why
      }
    }
    return std::move(found.result);
  }

  void fit(Selection& selection) override {
    const Fit fit = averaged_ ? average_of(*averaged_) : chosen_->fit_at(points_of(lambdas_));
    selection.model = fit.model;
    if (averaged_)
      selection.targets.front().chosen_train_error =
          weighted_means((data_.y - fit.fitted).cwiseAbs2(), data_.weight)[0];
    for (Index t = 0; t < targets(); ++t)
      selection.targets[static_cast<std::size_t>(t)].fitted = fit.fitted.col(t);
  }

 private:
  /// The other widths that `width` auto tried, where fits are averaged.
  std::vector<Candidate> further_widths() const {
    if (request_.combine != Combine::average || !widths_) return {};
    const std::vector<double> widths = widths_to_average(*widths_);
    if (widths.empty()) return {};
    SelectionRequest others = request_;
    others.width = widths;
    others.criteria = {"blend"};
    others.own_criteria.clear();
    return make_candidates(data_, others, Metric{Metric::Kind::train, {}, "train"}, progress_);
  }

  void average(TargetFindings& found) {
    averaged_ = found.averaged = averaged_fits(found, beside_, widths_);
    if (!averaged_) {
      found.result.warnings.push_back(
          fmt::format("Nothing was averaged: blend, which gives the weights, is undefined on these data. The "
                      "fit is the one that {} "
                      "chose.",
                      found.laid_out().chosen().label));
      return;
    }
    found.laid_out().combined = combined_of(*averaged_);
    found.result.chosen_df = df_of(*averaged_);
  }

  /// In closed form where leave-one-out has one, else by ten folds at the chosen point.
  void hold_out(TargetSelection& result, Index target) const {
    const SelectionPath& path = *result.path();
    if (path.leave_one_out_residual.size() == data_.y.rows() && rows_stand_alone(data_)) {
      result.held_out = data_.y.col(target) - path.leave_one_out_residual;
      result.held_out_by = "leave-one-out";
      return;
    }
    const SelectionRequest chosen = with_chosen(data_, request_, path.chosen());
    TrainingData one = data_;
    one.y = data_.y.col(target);
    const Matrix predicted = held_out_predictions(one, 10, request_.seed, [&](const TrainingData& rows) {
      const auto candidates = make_candidates(rows, chosen, Metric{Metric::Kind::train, {}, "train"}, {});
      return candidates.front().learner->fit_at(points_of({&path.chosen().lambda, 1})).model;
    });
    if (predicted.size() == 0) return;
    result.held_out = predicted.col(0);
    result.held_out_by = data_.groups.empty() ? "ten folds" : "folds of whole groups";
  }

  const TrainingData& data_;
  const SelectionRequest& request_;
  const Metric& metric_;
  const WidthSearch* widths_;
  Progress progress_;
  std::vector<Candidate> candidates_, beside_;
  const Learner* chosen_ = nullptr;
  std::optional<AveragedFits> averaged_;
  std::vector<double> lambdas_;  // chosen for the targets so far
};

Replicates repeats_among(const TrainingData& data, Index target) {
  return data.blocks ? replicates_of(*data.blocks, data.y.col(target), data.weight)
                     : replicates_of(data.x, data.y.col(target), data.weight);
}

}  // namespace

void leave_out_copied_fits(const Criterion& criterion, const Replicates& repeats,
                           const std::vector<Counts>& counts, Vector& values) {
  if (!std::holds_alternative<Blend>(criterion.formula) || !repeats.are_copies()) return;
  for (Index k = 0; k < values.size(); ++k) {
    const Counts& own = counts[static_cast<std::size_t>(k)];
    if (own.df > most_df_in_sample * (own.n - repeats.copies)) values[k] = undefined;
  }
}

TargetFindings find_for_target(const TrainingData& data, const SelectionRequest& request,
                               const Metric& metric, const std::vector<Candidate>& candidates,
                               const std::vector<AskedCriterion>& criteria, Index target,
                               const Progress& progress) {
  TargetFindings found{request, metric, target, {}, 0, repeats_among(data, target), {}};
  found.result.target = data.target_names[static_cast<std::size_t>(target)];
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    progress("fitting the path", static_cast<double>(i) / static_cast<double>(candidates.size()));
    const Candidate& c = candidates[i];
    const PathLearner* solved = c.learner->solved();
    found.paths.push_back({&c, c.learner->counts(points_of(c.lambdas), target, false, false),
                           solved ? &solved->path(c.lambdas, target) : nullptr});
  }
  TargetSelector(data, found, progress).run(criteria);
  found.result.warnings = warnings_of(found);
  return found;
}

std::optional<std::size_t> gcv_minimum(const TargetPath& path) {
  std::optional<std::size_t> at;
  double least = HUGE_VAL;
  for (std::size_t k = 0; k < path.counts.size(); ++k) {
    const double score = gcv_score(path.counts[k]);
    if (score < least) least = score, at = k;
  }
  return at;
}

double least_gcv(const TargetPath& path) {
  const auto at = gcv_minimum(path);
  return at ? gcv_score(path.counts[*at]) : HUGE_VAL;
}

std::unique_ptr<Searcher> search_paths(const TrainingData& data, const SelectionRequest& request,
                                       const Metric& metric, const WidthSearch* widths,
                                       const Progress& progress) {
  return std::make_unique<PathSearcher>(data, request, metric, widths, progress);
}

}  // namespace gnomon
