#include "gnomon/select/selection.hpp"

#include <algorithm>

#include "gnomon/core/error.hpp"
#include "gnomon/core/text.hpp"
#include "gnomon/select/candidates.hpp"
#include "gnomon/select/grid.hpp"
#include "target_selector.hpp"
#include "tuned_selection.hpp"

namespace gnomon {
namespace {

/// The criteria asked for, in order, without repeats: the first one chooses.
std::vector<CriterionRequest> requested_criteria(const SelectionRequest& request, const Learner& learner,
                                                 const Metric& metric, bool several_kernels,
                                                 bool several_losses, std::string& default_reason) {
  const auto incomparable = [&](const Criterion& c) {
    return several_kernels && c.kind(metric) == ErrorKind::function_space;
  };
  const auto of_other_losses = [&](const Criterion& c) { return several_losses && is_training_loss(c); };
  const auto applies = [&](const Criterion& c) {
    return c.undefined_for(learner, metric).empty() && !incomparable(c) && !of_other_losses(c);
  };
  std::vector<CriterionRequest> list;
  const auto add = [&](CriterionRequest c) {
    const bool there =
        std::any_of(list.begin(), list.end(), [&](const auto& l) { return l.label == c.label; });
    if (!there) list.push_back(std::move(c));
  };
  for (const auto& name : request.criteria) {
    if (name == "auto") {
      const DefaultCriterion chosen = default_criterion(learner);
      if (list.empty()) default_reason = chosen.reason;
      for (const std::string_view each : {chosen.name, std::string_view("sic"), std::string_view("iwcv"),
                                          std::string_view("cv"), std::string_view("loo")}) {
        const bool shifted = learner.solved() && learner.solved()->importance().size();
        if ((each == "cv" || each == "iwcv") && !shifted && each != chosen.name) continue;
        if (each == "loo" && !learner.linear()) continue;  // the default is cv there, and loo takes n refits
        CriterionRequest c = find_criterion(each);
        if (!applies(c.criterion) && each == "loo") c = find_criterion("cv");
        if (applies(c.criterion)) add(c);
      }
    } else if (name == "all") {
      add(find_criterion(default_criterion(learner).name));  // the default chooses, the others are reported
      for (const auto& c : criteria_catalog) {
        const bool refits = c.name == "loo" && !learner.linear();  // n refits of the path: only on demand
        const bool for_series = c.name == "cv-blocked";  // the order of the rows must mean something
        if (applies(c) && !refits && !for_series) add({c, std::string(c.name)});
      }
    } else {
      CriterionRequest c = find_criterion(name);
      const std::string why = c.criterion.undefined_for(learner, metric);

      require(why.empty(), "criterion '{}' is not defined for {}: {}", name, request.learner, why);
      require(!incomparable(c.criterion),
              "{} in the function space cannot choose a width: every kernel has its own norm, so its values "
              "do not compare; "
              "use --metric train or another criterion",
              name);
      require(!of_other_losses(c.criterion),
              "{} estimates Huber's loss, which is another one for every tau: it cannot choose tau; give one "
              "--tau, or use cv or evidence",
              name);
      const std::string unpaired = no_lags(learner, c.lags);
      require(unpaired.empty(), "criterion '{}': {}", name, unpaired);
      require(!is_cross_validation(c.criterion) || c.folds <= learner.rows() || name == c.criterion.name,
              "criterion '{}' needs at least {} rows; there are {}", name, c.folds, learner.rows());
      add(c);
    }
  }
  require(!list.empty(), "no criterion applies to {} here", request.learner);
  return list;
}

}  // namespace

void check_request(const SelectionRequest& request) {
  const LearnerEntry& learner = find_learner(request.learner);
  if (learner.linear) find_filter(request.learner, request.penalty);
  parse_kernel(request.kernel, 1);
  check_basis_spec(basis_of(request));
  check_noise_method(request.noise);
  check_tuning(request);
  if (is_tuned(request)) check_tuned_request(request);
  if (request.criteria.empty()) throw UsageError("no criterion is named; use --criterion auto");
  for (const auto& name : request.criteria) {
    if (name != "auto" && name != "all") find_criterion(name);
  }
  if (request.lambda != "auto") {
    const auto grid = parse_grid(request.lambda, "lambda");
    const bool zero_is_defined = learner.linear
                                     ? find_filter(request.learner, request.penalty).shift != Shift::none
                                     : request.learner != "svr";
    require(grid.front() > 0 || zero_is_defined, "lambda 0 is not allowed for {}; give positive values",
            request.learner);
  }
  if (request.width != "median") parse_grid(request.width, "width", "median");
  require(request.repeats >= 1, "repeats must be at least 1, not {}", request.repeats);
  require(request.bootstrap.replications >= 1, "bootstrap needs at least 1 replication, not {}",
          request.bootstrap.replications);
}

DefaultCriterion default_criterion(const Learner& learner) {
  if (learner.solved() && learner.solved()->importance().size()) {
    if (!learner.is_kernel())
      return {"sic",
              "estimates the error at the test inputs; iwcv chose as well in the reproduced toy problem"};
    return {"iwcv", "cross-validation weighted to the test inputs"};
  }
  if (learner.solved()) {  // bench/study_nonlinear.md
    const std::string_view name = learner.solved()->solver().name();
    if (name == "huber")
      return {"cv",
              "ties with sic for least regret in the project's study, with Gaussian and heavy-tailed noise"};
    if (name == "svr")
      return {"cv", "ties with sic under Gaussian noise and beats every other criterion under heavy tails"};
    if (name == "additive")
      return {"cv", "within 3 % of the least regret in the project's study, and needs no noise variance"};
    return {"cv", "least regret in the project's study; sic ties with it, the others lag in small samples"};
  }
  if (!learner.linear()->filter().closed_form_deletion)
    return {"cv", "least regret in the project's study among criteria of prediction error that apply here"};
  return {"loo", "as good as ten-fold cv in the project's study, and needs no seed"};
}

Selection select(const TrainingData& data, const SelectionRequest& request, const Progress& progress) {
  check_request(request);
  if (is_tuned(request)) return select_tuned(data, request, progress);
  Selection selection;
  selection.request = request;
  selection.filter =
      find_learner(request.learner).linear ? find_filter(request.learner, request.penalty) : tikhonov;
  selection.metric = metric_of(request, data);
  const std::vector<Candidate> candidates = make_candidates(data, request, selection.metric, progress);
  const Learner& any = *candidates.front().learner;
  if (any.solved()) {
    const std::string why = any.solved()->no_divergence();
    require(request.divergence != Divergence::exact || why.empty(), "--divergence exact: {}", why);
  }
  const bool several_kernels = candidates.back().width != candidates.front().width && uses_kernel(request) &&
                               uses_width(request.kernel);
  const bool several_losses =
      request.learner == "huber" && candidates.back().tuning != candidates.front().tuning;
  const auto criteria = requested_criteria(request, any, selection.metric, several_kernels, several_losses,
                                           selection.default_reason);
  std::vector<double> chosen;
  const Learner* model_learner = nullptr;
  for (Index t = 0; t < data.y.cols(); ++t) {
    TargetFindings found =
        find_for_target(data, request, selection.metric, candidates, criteria, t, progress);
    chosen.push_back(found.result.chosen_lambda);
    model_learner = &found.learner();
    const Smoother* smoother = model_learner->linear();
    if (smoother && smoother->no_leave_one_out().empty() && smoother->prepared_for_leave_one_out() &&
        data.x.rows() > 1)
      found.result.leave_one_out_residual = smoother->leave_one_out_residuals(chosen.back(), t);
    selection.targets.push_back(std::move(found.result));
  }
  progress("fitting", 0);
  selection.model = model_learner->fit(chosen);
  const Matrix fitted = selection.model.predict(data.x);
  for (Index t = 0; t < data.y.cols(); ++t)
    selection.targets[static_cast<std::size_t>(t)].fitted = fitted.col(t);
  progress("done", 1);
  return selection;
}

}  // namespace gnomon
