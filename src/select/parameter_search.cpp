#include "parameter_search.hpp"

#include <algorithm>
#include <cmath>

#include "candidates.hpp"
#include "core/text.hpp"
#include "criteria/partitions.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/noise/noise.hpp"
#include "gnomon/search/tune.hpp"
#include "grid.hpp"
#include "held_out_predictions.hpp"
#include "input_groups.hpp"
#include "make_tunable.hpp"

namespace gnomon {
namespace {

/// One value of λ for all decays; widths at their start.
Vector common_decay_point(const Learner& learner, double lambda) {
  Vector theta(static_cast<Index>(learner.parameters().size()));
  for (Index i = 0; i < theta.size(); ++i) {
    const Parameter& p = learner.parameters()[static_cast<std::size_t>(i)];
    theta[i] = std::log(p.kind == Parameter::Kind::decay ? lambda : p.unit);
  }
  return theta;
}

/// The one criterion that MacKay's updates raise.
bool is_evidence(const Criterion& c) { return c.target.of == Target::Of::log_evidence; }

class TargetTuner {
 public:
  TargetTuner(const TrainingData& data, const SelectionRequest& request, const Learner& learner, Index target,
              const Progress& progress)
      : data_(data), request_(request), learner_(learner), target_(target), progress_(progress) {
    search_.parameters = learner.parameters();
    for (const double lambda : named_lambdas(request)) {
      if (!(lambda > 0))
        throw UsageError("`lambda` 0 is not allowed in a search over logarithms; give positive values");
      named_.push_back(common_decay_point(learner, lambda));
    }
    search_.searched = request.search != Search::grid && named_.size() != 1;
    if (!request.start.empty()) named_ = {named_start()};
    require(search_.searched || !named_.empty(), "`search` grid needs `lambda` lo:hi:count for {}",
            request.learner);
  }

  TargetSelection run(const std::vector<AskedCriterion>& asked) {
    result_.noise = noise(asked);
    if (searches_by_gradient() && learner_.parameters().size() > 1) find_evidence();
    std::vector<CriterionRequest> criteria;
    for (const AskedCriterion& c : asked) {
      try {
        search_.criteria.push_back(outcome(c.request, search(given(c.request))));
        criteria.push_back(c.request);
      } catch (const Error&) {
        if (!c.optional) throw;
      }
    }
    require(!criteria.empty(), "no criterion asked for is defined on these data; choose by another");
    if (searches_by_gradient() && !learner_.iterative()) exchange_minima(criteria);
    const SearchResult& first = search_.criteria.front().search;
    search_.chosen = first.parameters.array().exp();
    walk(first);
    for (std::size_t i = 0; i < criteria.size(); ++i)
      complete(search_.criteria[i], given(criteria[i]), i == 0);
    result_.warnings = warnings(criteria.front(), first);
    describe(learner_.fit_at(search_.chosen));
    result_.found = std::move(search_);
    return std::move(result_);
  }
  const Model& model() const { return model_; }
  const Matrix& fitted() const { return fitted_; }

 private:
  void describe(const Fit& fit) {
    search_.gamma = fit.gamma;
    search_.training = fit.status;
    search_.gradient_norm = fit.gradient_norm;
    search_.verdicts = search_.criteria.front().search.verdicts;
    search_.criteria.front().df = fit.df;
    result_.chosen_df = fit.df;
    result_.chosen_train_error = fit.training_error;
    result_.fitted = fit.fitted.col(0);
    result_.strategy = learner_.iterative() ? "trained by Newton steps" : "closed form";
    if (search_.searched) warn_of_limit();
    if (fit.short_of_minimum())
      result_.warnings.push_back("Training of the chosen network: " + fit.status + ".");
    for (Index g = 0; g < fit.gamma.size(); ++g) warn_of_weights_left(g);
    model_ = fit.model;
    fitted_ = fit.fitted;
  }

  /// In a network the next layer may make up for weights that a decay at its bound has made small: they are not gone.
  void warn_of_weights_left(Index g) {
    constexpr double gone = 0.05;
    const auto at = static_cast<std::size_t>(g);
    if (search_.verdicts[at] != Verdict::dropped || !(search_.gamma[g] > gone)) return;
    search_.verdicts[at] = Verdict::interior;
    result_.warnings.push_back(
        fmt::format("{} ended at its upper bound, but {} of its weights still count: another layer makes up "
                    "for small ones. It is not "
                    "dropped; give it the same decay as the others, or another criterion.",
                    search_.parameters[at].name, pretty(search_.gamma[g], 2)));
  }

  /// The point that the request names, parameter by parameter.
  Vector named_start() const {
    Vector theta(static_cast<Index>(search_.parameters.size()));
    for (Index i = 0; i < theta.size(); ++i) {
      const Parameter& p = search_.parameters[static_cast<std::size_t>(i)];
      const auto found = request_.start.find(p.name);
      require(found != request_.start.end(),
              "the start has no parameter '{}'; it must come from a search over the same ones", p.name);
      require(found->second > 0, "the start has {} = {}; a parameter is positive", p.name, found->second);
      theta[i] = std::log(std::clamp(found->second, p.lower, p.upper));
    }
    return theta;
  }

  /// The criterion with its folds, lags and noise variance.
  GivenCriterion given(const CriterionRequest& c) const {
    GivenCriterion out{c.criterion, {.sigma2 = undefined, .lags = c.lags, .folds = {}}};
    if (c.criterion.partition != Criterion::Partition::none)
      out.given.folds =
          partitions_of(c.criterion, data_.x.rows(), data_.groups, c.folds, request_.repeats, request_.seed);
    for (const Folds& folds : out.given.folds) check_classes(c, folds);
    if (c.criterion.needs_noise) out.given.sigma2 = result_.noise.at(0);
    return out;
  }

  /// A class of which one fold holds all rows leaves nothing to learn it from.
  void check_classes(const CriterionRequest& c, const Folds& folds) const {
    for (std::size_t j = 0; j < data_.classes.size(); ++j) {
      int fold = -1, rows = 0, elsewhere = 0;
      for (Index i = 0; i < data_.y.rows(); ++i) {
        if (!(data_.y(i, static_cast<Index>(j)) > 0)) continue;
        const int own = folds.of_row[static_cast<std::size_t>(i)];
        if (rows++ == 0) fold = own;
        elsewhere += own != fold;
      }
      if (rows > 0 && elsewhere == 0)
        fail(
            "class '{}' has {}, all in one fold, which leaves {} nothing to learn it from: choose by "
            "evidence, or "
            "drop the class or merge it with another",
            data_.classes[j], counted(rows, "row"), c.label);
    }
  }

  /// From ridge on the same design, as along a path.
  NoiseVariance noise(const std::vector<AskedCriterion>& criteria) const {
    const bool needed = std::any_of(criteria.begin(), criteria.end(),
                                    [](const auto& c) { return c.request.criterion.needs_noise; });
    if (!needed) return NoiseVariance::not_wanted();
    SelectionRequest plain = request_;
    plain.groups = {}, plain.search = Search::refine, plain.lambda = "auto", plain.criteria = {"gcv"};
    TrainingData one = data_;
    one.y = data_.y.col(target_);
    const auto candidates = make_candidates(one, plain, Metric{}, progress_);
    const Candidate& c = candidates.front();
    const NoiseVariance found =
        estimate_noise(request_.noise.method(),
                       {*c.learner, c.lambdas, c.learner->counts(points_of(c.lambdas), 0, false, false), 0,
                        one.x, one.y.col(0), one.weight, request_.seed, nullptr, one.groups});
    const bool insists = std::any_of(criteria.begin(), criteria.end(), [](const auto& c) {
      return c.request.criterion.needs_noise && !c.optional;
    });
    require(!insists || std::isfinite(found.at(0)),
            "the noise variance could not be estimated ({}): give `noise` NUMBER, or choose by loo or cv",
            found.reason);
    return found;
  }

  bool searches_by_gradient() const {
    return search_.searched && named_.empty() && request_.search != Search::mackay;
  }

  /// The evidence of several parameters has few poor minima, those of the other criteria are many: they also begin where it
  /// is highest.
  void find_evidence() {
    try {
      evidence_ = tune(learner_, {evidence}, {}, progress_);
    } catch (const Error&) {  // undefined at every start: no help from here
    }
  }

  /// A minimum that one criterion found may be a better start for another than its own.
  void exchange_minima(const std::vector<CriterionRequest>& criteria) {
    for (std::size_t i = 0; i < criteria.size(); ++i) {
      const GivenCriterion c = given(criteria[i]);
      for (std::size_t k = 0; k < criteria.size(); ++k) {
        SearchResult& own = search_.criteria[i].search;
        const Vector& other = search_.criteria[k].search.parameters;
        const Estimate there = c.at(learner_, other.array().exp(), false);
        if (there.overfitted || !(there.value < own.value)) continue;
        SearchResult again = tune(learner_, c, {.starts = {other}}, progress_);
        if (!(again.value < own.value)) continue;
        again.evaluations += own.evaluations;
        own = std::move(again);
      }
    }
  }

  SearchResult search(const GivenCriterion& c) const {
    if (search_.searched && request_.search == Search::mackay) {
      require(is_evidence(c.criterion),
              "`search` mackay raises the evidence; it cannot serve {}: use `search` gradient",
              c.criterion.name);
      return tune_by_mackay(learner_, {.starts = named_}, progress_);
    }
    if (search_.searched) {
      if (is_evidence(c.criterion) && evidence_) return *evidence_;
      const std::vector<Vector> more =
          evidence_ ? std::vector<Vector>{evidence_->parameters} : std::vector<Vector>();
      return tune(learner_, c, {.starts = named_, .more_starts = more}, progress_);
    }
    SearchResult result;
    result.value = HUGE_VAL;
    for (std::size_t i = 0; i < named_.size(); ++i) {
      progress_(fmt::format("{} at the values given", c.criterion.name),
                static_cast<double>(i) / static_cast<double>(named_.size()));
      const Estimate e = c.at(learner_, named_[i].array().exp(), false);
      ++result.evaluations;
      if (!std::isfinite(e.value)) continue;
      result.trace.push_back({0, named_[i], e.value, undefined});
      if ((e.overfitted && named_.size() > 1) || !(e.value < result.value)) continue;
      result.value = e.value, result.parameters = named_[i];
    }
    require(result.parameters.size() > 0, "{} is undefined at every λ given; give others, or choose by cv",
            c.criterion.name);
    result.verdicts.assign(learner_.parameters().size(), Verdict::interior);
    result.value_of_start = {result.value};
    result.converged = true;
    result.status = named_.size() == 1 ? "evaluated at the value given"
                                       : fmt::format("the best of {} values given", named_.size());
    return result;
  }

  /// The way to the chosen point: the iterates of the start that led there. In closed form everything is known along it.
  void walk(const SearchResult& chosen) {
    const auto& ends = chosen.value_of_start;
    const int best = static_cast<int>(std::min_element(ends.begin(), ends.end()) - ends.begin());
    std::vector<Vector> way;
    for (const SearchPoint& p : chosen.trace) {
      if (p.start == best || p.start >= static_cast<int>(ends.size()))
        way.push_back(p.parameters), along_.push_back(p.value);
    }
    if (search_.searched && (way.empty() || way.back() != chosen.parameters))
      way.push_back(chosen.parameters), along_.push_back(chosen.value);
    const Index points = static_cast<Index>(way.size());
    search_.points.resize(points, static_cast<Index>(learner_.parameters().size()));
    search_.df = search_.train_error = Vector::Constant(points, undefined);
    for (Index i = 0; i < points; ++i) {
      search_.points.row(i) = way[static_cast<std::size_t>(i)].array().exp().transpose();
      if (learner_.iterative()) continue;
      const Fit fit = learner_.fit_at(search_.points.row(i).transpose());
      search_.df[i] = fit.df;
      search_.train_error[i] = fit.training_error;
    }
    way_ = std::move(way);
  }

  SearchOutcome outcome(const CriterionRequest& c, SearchResult found) const {
    return {{c.label, c.criterion, kind_of(c.criterion), c.named_folds()}, std::move(found)};
  }

  /// Its values along the way to the chosen point, and what is known of its own choice.
  void complete(SearchOutcome& out, const GivenCriterion& asked, bool chose) const {
    const SearchResult& found = out.search;
    out.curve.value = Vector::Constant(static_cast<Index>(way_.size()), undefined);
    for (Index i = 0; i < out.curve.value.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (chose)
        out.curve.value[i] = along_[at];
      else if (!learner_.iterative())
        out.curve.value[i] = asked.at(learner_, way_[at].array().exp(), false).value;
    }
    out.selected = Selected{found.value};
    out.selected->at_edge = std::any_of(found.verdicts.begin(), found.verdicts.end(),
                                        [](Verdict v) { return v != Verdict::interior; });
    if (!chose)  // the chosen fit is described with all it has
      out.df = learner_.fit_at(found.parameters.array().exp()).df;
  }

  ErrorKind kind_of(const Criterion& c) const {
    if (c.target.of != Target::Of::error) return c.kind(Metric{});
    if (!data_.classes.empty()) return ErrorKind::cross_entropy;
    return learner_.iterative() && data_.y.cols() > 1 ? ErrorKind::relative : c.kind(Metric{});
  }

  std::vector<std::string> warnings(const CriterionRequest& c, const SearchResult& found) const {
    std::vector<std::string> w;
    if (!found.converged)
      w.push_back(fmt::format("The search by {} ended early: {}.{}", c.label, found.status,
                              learner_.iterative()
                                  ? " Where a network passes to another minimum the criterion jumps; "
                                    "compare a few seeds."
                                  : ""));
    std::vector<std::string> free;
    for (std::size_t i = 0; i < found.verdicts.size(); ++i) {
      if (found.verdicts[i] == Verdict::unregularized) free.push_back(search_.parameters[i].name);
    }
    if (!free.empty())
      w.push_back(
          fmt::format("{} ran {} to the lower bound: by its measure no regularization is needed there.",
                      c.label, join(free)));
    const std::string trouble = given(c).at(learner_, found.parameters.array().exp(), false).warning;
    if (!trouble.empty()) w.push_back(fmt::format("{}: {}.", c.label, trouble));
    return w;
  }

  /// In-sample estimates that wanted more effective parameters than they may have: their choice is the limit, not a minimum.
  void warn_of_limit() {
    const double n = static_cast<double>(data_.y.rows() * (learner_.iterative() ? data_.y.cols() : 1));
    for (const SearchOutcome& c : search_.criteria) {
      if (c.criterion.most_df < 1 && c.df > 0.99 * c.criterion.most_df * n)
        result_.warnings.push_back(
            fmt::format("{} was held at {} of {} observations in effective parameters: beyond, it vanishes "
                        "with the training error. Its "
                        "choice is that limit and no minimum; use cv or loo.",
                        c.label, pretty(c.df, 3), n));
    }
  }

  const TrainingData& data_;
  const SelectionRequest& request_;
  const Learner& learner_;
  Index target_;
  const Progress& progress_;
  std::vector<Vector> named_;  // points of λ that the request names
  std::optional<SearchResult> evidence_;
  std::vector<Vector> way_;
  std::vector<double> along_;
  TunedSearch search_;
  TargetSelection result_;
  Model model_;
  Matrix fitted_;
};

/// Linear models of several targets on one basis, side by side.
Model joined(const std::vector<Model>& models) {
  if (models.size() == 1) return models.front();
  LinearModel all = *models.front().linear();
  const Index targets = static_cast<Index>(models.size());
  all.coefficients.conservativeResize(Eigen::NoChange, targets);
  all.offset.conservativeResize(targets);
  for (Index t = 1; t < targets; ++t) {
    const LinearModel& one = *models[static_cast<std::size_t>(t)].linear();
    all.coefficients.col(t) = one.coefficients.col(0);
    all.offset[t] = one.offset[0];
  }
  return all;
}

void check_data(const TrainingData& data, const SelectionRequest& request) {
  const auto no = [&](bool there, std::string_view what, std::string_view advice) {
    require(!there, "{} cannot be used in a search over several parameters ({}); {}", what, request.learner,
            advice);
  };
  no(data.weight.size() > 0, "a column of row weights",
     "repeat the rows, or search along a path of one lambda");
  no(data.importance.size() > 0, "importance weights", "search along a path: `search` refine");
  require(!request.learner->many->one_target || data.y.cols() == 1,
          "every target would get its own kernel widths; run one target at a time");
}

class ParameterSearcher final : public Searcher {
 public:
  ParameterSearcher(const TrainingData& data, const SelectionRequest& request, const Progress& progress)
      : data_(data), request_(request), progress_(progress) {
    check_tuned_request(request);
    joint_ = (*request.learner).many->joint;
    check_data(data, request);
    prepare(0);
  }

  const Learner& learner() const override { return *learner_; }
  Index targets() const override { return joint_ ? 1 : data_.y.cols(); }

  TargetSelection search(Index target, const std::vector<AskedCriterion>& criteria) override {
    prepare(target);
    TargetTuner tuner(data_, request_, *learner_, target, progress_);
    TargetSelection found = tuner.run(criteria);
    found.target = data_.target_names[static_cast<std::size_t>(target)];
    if (request_.keep_held_out && data_.classes.empty()) hold_out(target, found.search()->chosen);
    models_.push_back(tuner.model());
    fitted_ = tuner.fitted();
    return found;
  }

  void fit(Selection& selection) override {
    selection.model = joined(models_);
    share_held_out(selection);
    if (!joint_) return;
    if (!data_.classes.empty()) {
      selection.probabilities = fitted_;
      selection.targets.front().fitted = Vector();
      return;
    }
    // The outputs of a network share everything but their fitted values.
    for (Index o = 0; o < data_.y.cols(); ++o) {
      if (o > 0) selection.targets.push_back(selection.targets.front());
      TargetSelection& each = selection.targets[static_cast<std::size_t>(o)];
      each.target = data_.target_names[static_cast<std::size_t>(o)];
      each.fitted = fitted_.col(o);
      if (!held_out_.empty() && held_out_.front().cols() > o) each.held_out = held_out_.front().col(o);
      each.chosen_train_error =
          (data_.y.col(o) - fitted_.col(o)).squaredNorm() / static_cast<double>(data_.y.rows());
    }
  }

 private:
  /// Networks take one training per fold and restart: five folds.
  int hold_out_folds() const { return learner_->iterative() ? 5 : 10; }

  /// Every row as fits at the chosen point predict it that did not see it.
  void hold_out(Index target, const Vector& chosen) {
    TrainingData some = data_;
    if (!joint_) some.y = data_.y.col(target);
    held_out_.push_back(
        held_out_predictions(some, hold_out_folds(), request_.seed, [&](const TrainingData& rows) {
          return make_tunable(rows, request_, joint_ ? -1 : 0)->fit_at(chosen).model;
        }));
  }
  void share_held_out(Selection& selection) const {
    for (std::size_t t = 0; t < selection.targets.size() && t < held_out_.size(); ++t) {
      if (held_out_[t].size() == 0) continue;
      selection.targets[t].held_out = held_out_[t].col(0);
      selection.targets[t].held_out_by = !data_.groups.empty()   ? "folds of whole groups"
                                         : hold_out_folds() == 5 ? "five folds"
                                                                 : "ten folds";
    }
  }

  void prepare(Index target) {
    if (learner_ && target_ == target) return;
    learner_ = make_tunable(data_, request_, joint_ ? -1 : target);
    target_ = target;
  }

  const TrainingData& data_;
  const SelectionRequest& request_;
  Progress progress_;
  bool joint_ = false;  // a network learns all targets together
  std::unique_ptr<Learner> learner_;
  Index target_ = 0;
  std::vector<Model> models_;
  std::vector<Matrix> held_out_;  // predictions of a target, or of all that share a network
  Matrix fitted_;
};

}  // namespace

void check_tuned_request(const SelectionRequest& request) {
  if (request.restarts < 1)
    throw UsageError(fmt::format("`restarts` {} is not allowed; give 1 or more", request.restarts));
  const LearnerEntry& entry = *request.learner;
  if (!entry.many)
    throw UsageError(fmt::format("{} is for ridge, kernel-ridge and mlp, not for {}",
                                 request.groups.empty() ? "`search` gradient" : "`groups`", request.learner));
  if (!entry.many->groups_inputs && !request.groups.empty() && request.decay_groups != DecayGroups::input)
    throw UsageError("`groups` for mlp says which inputs share a decay; give `decay_groups` input too");
  if (entry.filters.size() > 1 && request.penalty != entry.filters.front().penalty)
    throw UsageError("`search` gradient over kernel widths is for the penalty 'function'");
  if (request.noise.method().follows_path)
    throw UsageError(
        fmt::format("`noise` {} follows a path of one lambda; give auto, ols, gcv, reml, … or a number",
                    request.noise.text()));
  if (request.rule != Rule::minimum)
    throw UsageError(
        fmt::format("`rule` {} is for a path of one lambda, not for a search", name_of(Rule(request.rule))));
  if (!entry.many->decays_only && request.search == Search::mackay)
    throw UsageError(
        "`search` mackay is for weight decays (ridge, mlp); kernel widths need `search` gradient");
}

std::unique_ptr<Searcher> search_parameters(const TrainingData& data, const SelectionRequest& request,
                                            const Progress& progress) {
  return std::make_unique<ParameterSearcher>(data, request, progress);
}

}  // namespace gnomon
