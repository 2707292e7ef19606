#include "gnomon/select/selection.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "gnomon/core/error.hpp"
#include "gnomon/core/text.hpp"
#include "gnomon/represent/width.hpp"
#include "gnomon/select/grid.hpp"

namespace gnomon {
namespace {

/// Beyond this many rows a further λ of leave-one-out is no longer free, and its minimum is interpolated.
constexpr Index cheap_rows = 5000;

/// The criteria asked for, in order, without repeats: the first one chooses.
std::vector<CriterionRequest> requested_criteria(const SelectionRequest& request, const Smoother& smoother,
                                                 const Metric& metric, bool several_kernels,
                                                 std::string& default_reason) {
  const auto incomparable = [&](const Criterion& c) {
    return several_kernels && c.kind(metric) == ErrorKind::function_space;
  };
  const auto applies = [&](const Criterion& c) {
    return c.undefined_for(smoother, metric).empty() && !incomparable(c);
  };
  std::vector<CriterionRequest> list;
  const auto add = [&](CriterionRequest c) {
    const bool there =
        std::any_of(list.begin(), list.end(), [&](const auto& l) { return l.label == c.label; });
    if (!there) list.push_back(std::move(c));
  };
  for (const auto& name : request.criteria) {
    if (name == "auto") {
      const DefaultCriterion chosen = default_criterion(smoother.filter());
      if (list.empty()) default_reason = chosen.reason;
      for (const std::string_view each : {chosen.name, std::string_view("sic"), std::string_view("loo")}) {
        CriterionRequest c = find_criterion(each);
        if (!applies(c.criterion) && each == "loo") c = find_criterion("cv");
        if (applies(c.criterion)) add(c);
      }
    } else if (name == "all") {
      add(find_criterion(
          default_criterion(smoother.filter()).name));  // the default chooses, the others are reported
      for (const auto& c : criteria_catalog) {
        if (applies(c)) add({c, std::string(c.name)});
      }
    } else {
      CriterionRequest c = find_criterion(name);
      const std::string why = c.criterion.undefined_for(smoother, metric);

      require(why.empty(), "criterion '{}' is not defined for {}: {}", name, request.learner, why);
      require(!incomparable(c.criterion),
              "{} in the function space cannot choose a width: every kernel has its own norm, so its values "
              "do not compare; "
              "use --metric train or another criterion",
              name);
      require(c.criterion.name != "cv" || c.folds <= smoother.rows() || name == "cv",
              "criterion '{}' needs at least {} rows; there are {}", name, c.folds, smoother.rows());
      add(c);
    }
  }
  require(!list.empty(), "no criterion applies to {} here", request.learner);
  return list;
}

std::vector<double> requested_widths(const SelectionRequest& request, const TrainingData& data) {
  if (!find_learner(request.learner).kernel || !uses_width(request.kernel)) return {};
  if (request.width == "median") return {median_distance(data.x, data.weight)};
  auto widths = parse_grid(request.width, "width", "median");
  require(widths.front() > 0, "width 0 is not allowed; a kernel width is positive");
  return widths;
}

Representation make_representation(const SelectionRequest& request, double width, const TrainingData& data) {
  if (!find_learner(request.learner).kernel) return Basis::fit(request.basis, data.x);
  return parse_kernel(request.kernel, std::isfinite(width) ? width : 1);
}

NoiseVariance noise_along(const NoiseVariance& noise, const std::vector<SpectralSums>& sums) {
  if (noise.method != "residual") return noise;
  NoiseVariance along = noise;
  along.value.resize(static_cast<Index>(sums.size()));
  for (Index k = 0; k < along.value.size(); ++k)
    along.value[k] = residual_variance(sums[static_cast<std::size_t>(k)]);
  return along;
}

/// Everything computed for one kernel width (or the one basis) and one target.
struct Path {
  const Smoother* smoother;
  std::vector<double> lambdas;
  std::vector<SpectralSums> sums;
};

/// The point of a path where GCV is least; nothing where it is nowhere defined.
std::optional<std::size_t> gcv_minimum(const Path& path) {
  std::optional<std::size_t> at;
  double least = HUGE_VAL;
  for (std::size_t k = 0; k < path.sums.size(); ++k) {
    const double score = gcv_score(path.sums[k], path.smoother->count());
    if (score < least) least = score, at = k;
  }
  return at;
}

double least_gcv(const Path& path) {
  const auto at = gcv_minimum(path);
  return at ? gcv_score(path.sums[*at], path.smoother->count()) : HUGE_VAL;
}

class TargetSelector {
 public:
  TargetSelector(const TrainingData& data, const SelectionRequest& request, const Metric& metric,
                 const std::vector<std::unique_ptr<Smoother>>& smoothers, const std::vector<double>& widths,
                 Index target, const Progress& progress)
      : data_(data),
        request_(request),
        metric_(metric),
        smoothers_(smoothers),
        widths_(widths),
        target_(target),
        progress_(progress) {}

  TargetSelection run(const std::vector<CriterionRequest>& criteria,
                      const std::vector<std::vector<double>>& grids) {
    result_.target = data_.target_names[static_cast<std::size_t>(target_)];
    for (std::size_t i = 0; i < smoothers_.size(); ++i) {
      paths_.push_back({smoothers_[i].get(), grids[i], smoothers_[i]->sums(grids[i], target_)});
    }
    lay_out();
    result_.noise = choose_noise();
    for (const auto& c : criteria) result_.criteria.push_back(evaluate(c));
    check_chosen();
    describe_chosen();
    warn();
    return std::move(result_);
  }

 private:
  void lay_out() {
    std::vector<double> df, error;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      for (const auto& s : paths_[i].sums) {
        result_.lambda.push_back(s.lambda);
        if (paths_.size() > 1) result_.width.push_back(widths_[i]);
        df.push_back(s.df);
        error.push_back(s.z2g2 / paths_[i].smoother->count());
      }
    }
    result_.df = Eigen::Map<Vector>(df.data(), static_cast<Index>(df.size()));
    result_.train_error = Eigen::Map<Vector>(error.data(), static_cast<Index>(error.size()));
  }

  /// One variance for all widths, so that criteria stay comparable: that of the width whose GCV is least.
  NoiseVariance choose_noise() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < paths_.size(); ++i) {
      if (least_gcv(paths_[i]) < least_gcv(paths_[best])) best = i;
    }
    return estimate_noise(request_.noise, {*paths_[best].smoother, paths_[best].sums, target_, data_.x,
                                           data_.y.col(target_), data_.weight});
  }

  CriterionCurve curve_at(const CriterionRequest& c, const Smoother& smoother,
                          const std::vector<double>& lambdas, const std::vector<SpectralSums>& sums,
                          double pilot) const {
    const NoiseVariance noise = noise_along(result_.noise, sums);
    return c.criterion.evaluate({smoother, target_, lambdas, sums, noise, metric_, pilot, c.folds,
                                 request_.repeats, request_.seed, progress_});
  }

  /// The λ with the least GCV on a path: the reference point of regularised SIC.
  static double pilot_of(const Path& path) {
    const auto at = gcv_minimum(path);
    return at ? path.lambdas[*at] : path.lambdas.back();
  }

  CriterionOutcome evaluate(const CriterionRequest& c) const {
    CriterionOutcome outcome{c.label, c.criterion, c.criterion.kind(metric_), {}, {}};
    std::vector<double> value, error;
    double best = HUGE_VAL;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      progress_(fmt::format("{} along the path", c.label),
                static_cast<double>(i) / static_cast<double>(paths_.size()));
      const Path& path = paths_[i];
      const double pilot = pilot_of(path);
      const CriterionCurve curve = curve_at(c, *path.smoother, path.lambdas, path.sums, pilot);
      value.insert(value.end(), curve.value.begin(), curve.value.end());
      error.insert(error.end(), curve.standard_error.begin(), curve.standard_error.end());
      if (paths_.size() == 1) outcome.curve.constant = curve.constant;
      // Criteria without a standard error take their minimum, unless they are the one that chooses.
      const bool chooses = result_.criteria.empty();
      const Rule rule = chooses || curve.standard_error.size() ? request_.rule : Rule::minimum;
      auto selected = select_on_grid(path.lambdas, curve, rule);
      if (!selected) continue;
      if (request_.search == Search::refine && rule == Rule::minimum)
        selected = refine(c, path, curve, *selected, pilot);
      // Widths compare by their least values, also where a rule then takes another point of the path.
      const double least =
          rule == Rule::minimum ? selected->value : select_on_grid(path.lambdas, curve, Rule::minimum)->value;
      if (!(least < best)) continue;
      best = least;
      outcome.selected = selected;
      if (!widths_.empty()) outcome.width = widths_[i];
    }
    outcome.curve.value = Eigen::Map<Vector>(value.data(), static_cast<Index>(value.size()));
    outcome.curve.standard_error = Eigen::Map<Vector>(error.data(), static_cast<Index>(error.size()));
    return outcome;
  }

  Selected refine(const CriterionRequest& c, const Path& path, const CriterionCurve& curve,
                  const Selected& from, double pilot) const {
    const bool costly =
        c.criterion.name == "cv" || (c.criterion.needs_leave_one_out && path.smoother->rows() > cheap_rows);
    if (costly)
      return path.smoother->filter().shift == Shift::none ? from
                                                          : interpolate_minimum(from, path.lambdas, curve);
    return refine_minimum(from, path.lambdas, [&](const std::vector<double>& lambdas) {
      return curve_at(c, *path.smoother, lambdas, path.smoother->sums(lambdas, target_), pilot);
    });
  }

  void check_chosen() const {
    const auto& first = result_.criteria.front();
    if (first.selected) return;
    const bool for_noise = first.criterion.needs_noise && !result_.noise.value.array().isFinite().any();
    fail("criterion '{}' is undefined along the whole path{}", first.label,
         for_noise
             ? "; the noise variance could not be estimated: give --noise NUMBER, or choose by gcv, loo or cv"
             : "; choose by another criterion, such as loo or cv");
  }

  void describe_chosen() {
    const auto& first = result_.criteria.front();
    result_.chosen_lambda = first.selected->lambda;
    result_.chosen_width = first.width;
    const Smoother& smoother = chosen_smoother();
    const auto sums = smoother.sums({&result_.chosen_lambda, 1}, target_);
    result_.chosen_df = sums[0].df;
    result_.chosen_train_error = sums[0].z2g2 / smoother.count();
    result_.strategy = smoother.decomposition().strategy();
    result_.gram_error_bound = smoother.decomposition().gram_error_bound();
    if (request_.keep_spectrum || !smoother.is_kernel() || metric_.kind == Metric::Kind::function_space) {
      result_.spectrum = smoother.spectrum();
    }
  }

 public:
  const Smoother& chosen_smoother() const {
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      if (paths_.size() == 1 || widths_[i] == result_.chosen_width) return *paths_[i].smoother;
    }
    return *paths_.front().smoother;
  }

 private:
  void warn() {
    auto& w = result_.warnings;
    const auto& first = result_.criteria.front();
    for (const auto& c : result_.criteria) {
      if (!c.selected) {
        w.push_back(fmt::format("{} is undefined along the whole path.", c.label));
      } else if (c.selected->at_edge && &c == &first) {
        const bool low = c.selected->grid_index == 0;
        w.push_back(fmt::format("The minimum of {} lies at the {} end of the grid, λ = {}: {}", c.label,
                                low ? "lower" : "upper", pretty(c.selected->lambda),
                                request_.lambda != "auto" ? "widen --lambda."
                                : low                     ? "the criterion prefers no regularization at all."
                                      : "the criterion prefers the constant (null) model."));
      }
    }
    if (widths_.size() > 1 && (first.width == widths_.front() || first.width == widths_.back())) {
      w.push_back(fmt::format("The chosen width {} lies at an end of the widths tried: widen --width.",
                              pretty(first.width)));
    }
    const bool noise_matters = std::any_of(result_.criteria.begin(), result_.criteria.end(),
                                           [](const auto& c) { return c.criterion.needs_noise; });
    if (noise_matters && !result_.noise.value.array().isFinite().any()) {
      w.push_back(
          fmt::format("The noise variance could not be estimated ({}); criteria that need it are undefined.",
                      result_.noise.reason));
    }
    const Smoother& smoother = chosen_smoother();
    const Index missing = smoother.parameters() - result_.spectrum.values.size();
    if (!smoother.is_kernel() && missing > 0 && metric_.kind == Metric::Kind::points) {
      w.push_back(
          fmt::format("The design has rank {} with {} columns, so no unbiased reference exists on the given "
                      "points: sic carries a bias.",
                      result_.spectrum.values.size(), smoother.parameters()));
    }

    const double cut =
        result_.spectrum.range_tolerance * result_.spectrum.top();  // 0 where no spectrum was kept
    const Index below = (result_.spectrum.values.array() <= cut).count();
    const bool cut_matters =
        metric_.kind == Metric::Kind::function_space || result_.chosen_lambda < 1e3 * cut;
    if (smoother.is_kernel() && !smoother.filter().whole_range && below > 0 && cut_matters) {
      w.push_back(fmt::format(
          "{} of {} eigenvalues of the kernel matrix are at rounding level and are treated as zero.", below,
          result_.spectrum.values.size()));
    }
    if (first.criterion.name == "sic" && metric_.kind == Metric::Kind::function_space &&
        smoother.filter().shift == Shift::plain) {
      w.emplace_back(
          "sic in the function space has very large variance under the penalty 'function'; prefer --metric "
          "train or --penalty coefficients.");
    }
    const double variance = smoother.total(target_) / smoother.count();
    for (const auto& c : result_.criteria) {
      if (c.criterion.name == "sic" && metric_.kind == Metric::Kind::points && c.selected &&
          c.selected->standard_error > variance) {
        w.emplace_back(
            "sic has no usable precision on these points, because least squares on the kernel matrix is its "
            "reference; use loo, --metric train, or a basis.");
      }
    }

    if (paths_.size() == 1 && result_.noise.method == "gcv") warn_of_unequal_leverages();
    if (smoother.count() < static_cast<double>(smoother.rows())) {
      w.push_back(
          fmt::format("The weights sum to {}, less than the {} rows: a weight is read as a count; rescale "
                      "the weights if they are not.",
                      pretty(smoother.count(), 6), smoother.rows()));
    }
  }

  /// GCV replaces every leverage by their mean. Where leave-one-out, which does not, is far larger at GCV's minimum, the
  /// noise variance taken there is too small.
  void warn_of_unequal_leverages() {
    const auto minimum = gcv_minimum(paths_.front());
    if (!minimum) return;
    const Index at = static_cast<Index>(*minimum);
    const double least = least_gcv(paths_.front());
    for (const auto& c : result_.criteria) {
      if (c.criterion.name != "loo" || !(c.curve.value[at] > 1.5 * least)) continue;
      result_.warnings.push_back(
          fmt::format("Leverages are very unequal: at the minimum of GCV leave-one-out is {} times larger, "
                      "so the noise variance, and gcv, cp, "
                      "sure and sic with it, are doubtful.",
                      pretty(c.curve.value[at] / least, 2)));
    }
  }

  const TrainingData& data_;
  const SelectionRequest& request_;
  const Metric& metric_;
  const std::vector<std::unique_ptr<Smoother>>& smoothers_;
  const std::vector<double>& widths_;
  Index target_;
  const Progress& progress_;
  std::vector<Path> paths_;
  TargetSelection result_;
};

}  // namespace

void check_request(const SelectionRequest& request) {
  find_filter(request.learner, request.penalty);
  parse_kernel(request.kernel, 1);
  check_basis_spec(request.basis);
  check_noise_method(request.noise);
  if (request.criteria.empty()) throw UsageError("no criterion is named; use --criterion auto");
  for (const auto& name : request.criteria) {
    if (name != "auto" && name != "all") find_criterion(name);
  }
  if (request.lambda != "auto") parse_grid(request.lambda, "lambda");
  if (request.width != "median") parse_grid(request.width, "width", "median");
  require(request.repeats >= 1, "repeats must be at least 1, not {}", request.repeats);
}

DefaultCriterion default_criterion(const Filter& filter) {
  if (!filter.closed_form_deletion)
    return {"cv", "least regret in the project's study among criteria of prediction error that apply here"};
  return {"loo", "as good as ten-fold cv in the project's study, and needs no seed"};
}

Selection select(const TrainingData& data, const SelectionRequest& request, const Progress& progress) {
  check_request(request);
  Selection selection;
  selection.request = request;
  selection.filter = find_filter(request.learner, request.penalty);
  const bool kernel = find_learner(request.learner).kernel;
  // The function-space metric is sound where every direction counts; elsewhere its variance has no bound as λ
  // → 0.
  const bool in_function_space = kernel && selection.filter.whole_range;
  selection.metric =
      request.metric.value_or(Metric{in_function_space ? Metric::Kind::function_space : Metric::Kind::train,
                                     {},
                                     in_function_space ? "function-space" : "train"});
  const std::vector<double> widths = requested_widths(request, data);
  require(widths.size() <= 1 || data.y.cols() == 1,
          "several widths and several targets cannot be chosen together; run one target at a time");
  const std::vector<double> fixed_grid =
      request.lambda == "auto" ? std::vector<double>() : parse_grid(request.lambda, "lambda");
  require(fixed_grid.empty() || fixed_grid.front() > 0 || selection.filter.shift != Shift::none,
          "lambda 0 is not allowed for {}; give positive values", request.learner);

  // What will be asked for decides how the spectrum is obtained.
  Needs needs{.leave_one_out = false,
              .function_space = selection.metric.kind == Metric::Kind::function_space,
              .vectors = selection.metric.kind == Metric::Kind::points || data.y.cols() > 1};
  for (const auto& name : request.criteria) {
    const bool collective = name == "auto" || name == "all";
    needs.leave_one_out |= collective || find_criterion(name).criterion.needs_leave_one_out;
    const bool validates = name == "all" || (!collective && find_criterion(name).criterion.name == "cv");
    if (validates && needs.folds.count == 0 && data.x.rows() > 1) {
      const int k = collective ? find_criterion("cv").folds : find_criterion(name).folds;
      needs.folds =
          random_folds(data.x.rows(), static_cast<int>(std::min<Index>(k, data.x.rows())), request.seed);
    }
  }
  needs.leave_one_out &= selection.filter.closed_form_deletion;

  std::vector<std::unique_ptr<Smoother>> smoothers;
  std::vector<std::vector<double>> grids;
  const std::size_t count = std::max<std::size_t>(widths.size(), 1);
  for (std::size_t i = 0; i < count; ++i) {
    progress("decomposing", static_cast<double>(i) / static_cast<double>(count));
    // The data outlive the smoothers, so the inputs are shared without owning them.
    const std::shared_ptr<const Matrix> inputs(std::shared_ptr<void>(), &data.x);
    smoothers.push_back(std::make_unique<Smoother>(
        inputs, data.y, data.weight,
        SmootherOptions{
            .representation = make_representation(request, widths.empty() ? undefined : widths[i], data),
            .filter = selection.filter,
            .intercept = request.intercept,
            .strategy = request.strategy,
            .needs = needs},
        progress));
    grids.push_back(fixed_grid.empty() ? automatic_grid(*smoothers.back()) : fixed_grid);
  }

  const auto criteria = requested_criteria(request, *smoothers.front(), selection.metric, widths.size() > 1,
                                           selection.default_reason);
  std::vector<double> chosen;
  const Smoother* model_smoother = nullptr;
  for (Index t = 0; t < data.y.cols(); ++t) {
    TargetSelector selector(data, request, selection.metric, smoothers, widths, t, progress);
    selection.targets.push_back(selector.run(criteria, grids));
    chosen.push_back(selection.targets.back().chosen_lambda);
    model_smoother = &selector.chosen_smoother();
    if (selection.filter.closed_form_deletion && data.x.rows() > 1 && needs.leave_one_out) {
      selection.targets.back().leave_one_out_residual =
          model_smoother->leave_one_out_residuals(chosen.back(), t);
    }
  }
  progress("fitting", 0);
  selection.model = model_smoother->fit(chosen);
  const Matrix fitted = selection.model.predict(data.x);
  for (Index t = 0; t < data.y.cols(); ++t)
    selection.targets[static_cast<std::size_t>(t)].fitted = fitted.col(t);
  progress("done", 1);
  return selection;
}

}  // namespace gnomon
