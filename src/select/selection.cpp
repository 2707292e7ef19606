#include "gnomon/select/selection.hpp"

#include <algorithm>

#include "gnomon/core/error.hpp"
#include "gnomon/core/text.hpp"
#include "gnomon/select/candidates.hpp"
#include "gnomon/select/grid.hpp"
#include "criteria_list.hpp"
#include "parameter_search.hpp"
#include "path_search.hpp"

namespace gnomon {
namespace {

Filter filter_of(const SelectionRequest& request) {
  const bool linear = find_learner(request.learner).linear && !is_tuned(request);
  return linear ? find_filter(request.learner, request.penalty) : tikhonov;
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

namespace {

struct DefaultCriterion {
  std::string_view name, reason;
};

DefaultCriterion default_along_path(const Learner& learner) {
  if (learner.is_shifted()) {
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

DefaultCriteria default_of_search(const Learner& learner, const SelectionRequest& request) {
  const bool network = request.learner == "mlp", by_mackay = request.search == Search::mackay;
  const bool classifies = network && !gcv.undefined_for(learner, {}).empty();
  if (classifies && !by_mackay) return {{"cv:5"}, "assumes nothing about the shape of the likelihood"};
  if (!network && learner.parameters().size() == 1 && !by_mackay)
    return {{"loo"}, "as good as ten-fold cv in the project's study, and needs no seed"};
  DefaultCriteria out{{"evidence"}, "least regret in the project's study of many parameters at once"};
  if (!network && !by_mackay) out.names.emplace_back("loo");
  return out;
}

}  // namespace

DefaultCriteria default_criteria(const Learner& learner, const SelectionRequest& request) {
  if (is_tuned(request)) return default_of_search(learner, request);
  const DefaultCriterion chosen = default_along_path(learner);
  DefaultCriteria out{{chosen.name, "sic"}, chosen.reason};
  if (learner.is_shifted()) out.names.insert(out.names.end(), {"iwcv", "cv"});
  if (learner.linear()) out.names.emplace_back(loo.undefined_for(learner, {}).empty() ? "loo" : "cv");
  return out;
}

Selection select(const TrainingData& data, const SelectionRequest& request, const Progress& progress) {
  check_request(request);
  Selection selection;
  selection.request = request;
  selection.filter = filter_of(request);
  selection.metric = is_tuned(request) ? Metric{Metric::Kind::train, {}, "train"} : metric_of(request, data);
  const std::unique_ptr<Searcher> searcher = is_tuned(request)
                                                 ? search_parameters(data, request, progress)
                                                 : search_paths(data, request, selection.metric, progress);
  const auto criteria = asked_criteria(request, searcher->learner(), selection.metric, searcher->comparison(),
                                       selection.default_reason);
  for (Index t = 0; t < searcher->targets(); ++t)
    selection.targets.push_back(searcher->search(t, criteria));
  progress("fitting", 0);
  searcher->fit(selection);
  progress("done", 1);
  return selection;
}

}  // namespace gnomon
