#include "gnomon/select/selection.hpp"

#include <algorithm>

#include "automatic_width.hpp"
#include "averaging.hpp"
#include "candidates.hpp"
#include "column_subsets.hpp"
#include "core/listening.hpp"
#include "core/text.hpp"
#include "criteria_list.hpp"
#include "data/row_blocks.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/learn/filters.hpp"
#include "gnomon/noise/noise.hpp"
#include "grid.hpp"
#include "judge_chosen.hpp"
#include "make_tunable.hpp"
#include "outside_reach.hpp"
#include "parameter_search.hpp"
#include "path_search.hpp"
#include "tied_widths.hpp"
#include "training_rows.hpp"

namespace gnomon {

std::vector<const CriterionOutcome*> TargetSelection::criteria() const {
  std::vector<const CriterionOutcome*> all;
  std::visit(
      [&](const auto& kind) {
        for (const auto& c : kind.criteria) all.push_back(&c);
      },
      found);
  return all;
}

const CriterionOutcome& TargetSelection::chosen() const {
  return std::visit([](const auto& kind) -> const CriterionOutcome& { return kind.criteria.front(); }, found);
}

namespace {

Filter filter_of(const SelectionRequest& request) {
  const LearnerEntry& entry = (*request.learner);
  return entry.linear() && !is_tuned(request) ? entry.filter(request.penalty).filter : tikhonov;
}

}  // namespace

void check_request(const SelectionRequest& request) {
  request.noise.method();  // a wrong name is said before any work
  check_tuning(request);
  if (const std::string why = request.subsets.empty() ? "" : no_subsets(request); !why.empty())
    throw UsageError(fmt::format("`subsets` {} {}", request.subsets.text(), why));
  if (is_tuned(request)) {
    if (several_representations(request))
      throw UsageError(fmt::format(
          "a search over several parameters takes one {}; name one, or choose among them along a path of λ",
          uses_kernel(request) ? "`kernel`" : "`basis`"));
    check_tuned_request(request);
  }
  if (request.criteria.empty() && request.own_criteria.empty())
    throw UsageError("no criterion is named; use `criteria` auto");
  for (const auto& name : request.criteria) {
    if (!names_several(name)) find_criterion(name);
  }
  check_averaging(request);
  const auto lambdas = named_lambdas(request);
  if (!lambdas.empty() && !(lambdas.front() > 0) && !request.learner->zero_lambda)
    throw UsageError(fmt::format("`lambda` 0 is not allowed for {}; give positive values", request.learner));
  named_widths(request);
  if (request.repeats < 1)
    throw UsageError(fmt::format("`repeats` must be at least 1, not {}", request.repeats));
  if (request.bootstrap.replications < 1)
    throw UsageError(
        fmt::format("`bootstrap` needs at least 1 replication, not {}", request.bootstrap.replications));
}

namespace {

/// What an entry recommends for this learner and this way of searching.
const RecommendedCriterion& recommended(const Learner& learner, const SelectionRequest& request) {
  static const RecommendedCriterion raised{"evidence", "MacKay's updates raise it"};
  static const RecommendedCriterion of_groups{"cv", "rows are held out by groups or given folds"};
  static const RecommendedCriterion of_shifted_groups{"iwcv", "rows are held out by groups or given folds"};
  const RecommendedCriteria& by = (*request.learner).recommended;
  if (request.grouped && request.search != Search::mackay)
    return learner.is_shifted() ? of_shifted_groups : of_groups;
  if (request.series && request.search != Search::mackay && !learner.is_shifted()) return by.series;
  if (!is_tuned(request)) {
    if (learner.is_shifted()) return learner.is_kernel() ? by.shift_on_kernel : by.shift_on_basis;
    const bool blends = std::holds_alternative<Blend>(find_criterion(by.path.criterion).criterion.formula);
    if (!blends) return by.path;
    static const RecommendedCriterion of_weights{"cv", "it holds out whole rows, whatever their weights"};
    static const RecommendedCriterion with_error{"loo", "the rule needs a criterion with a standard error"};
    static const RecommendedCriterion at_zero{"loo",
                                              "lambda 0 is to be judged too, where blend is not defined"};
    if (request.weighted && request.combine == Combine::none) return of_weights;
    if (request.rule != Rule::minimum) return with_error;
    const auto lambdas = named_lambdas(request);
    return !lambdas.empty() && lambdas.front() == 0 ? at_zero : by.path;
  }
  if (request.search == Search::mackay) return raised;
  if (learner.iterative() && !learner.lacks(Account::counts, {}).empty()) return by.classes;
  const bool leaves_one_out = learner.lacks(Account::left_out, {}).empty();
  return leaves_one_out && learner.parameters().size() == 1 ? by.one_of_many : by.many;
}

}  // namespace

DefaultCriteria default_criteria(const Learner& learner, const SelectionRequest& request) {
  const RecommendedCriterion& first = recommended(learner, request);
  DefaultCriteria out{{first.criterion}, first.reason};
  if (is_tuned(request)) {
    if (request.search != Search::mackay)
      out.names.insert(out.names.end(), first.beside.begin(), first.beside.end());
    return out;
  }
  out.names.emplace_back("sic");
  if (learner.is_shifted()) out.names.insert(out.names.end(), {"iwcv", "cv"});
  if (learner.linear() && !request.grouped && !request.weighted)
    out.names.emplace_back(loo.undefined_for(learner, {}).empty() ? "loo" : "cv");
  return out;
}

namespace {

void check_groups(const SelectionRequest& request, const TrainingData& data) {
  if (!request.grouped) return;
  require(!data.groups.empty(),
          "rows are to be held out in groups, but none has a group; name one for every row");
  require(data.dependence == 0 && !request.series,
          "rows of a series are held out in blocks of their order, not in groups");
  require(data.groups.count() >= 2,
          "all rows belong to one {}, so that none can be held out; give two or more",
          data.groups.are_folds ? "fold" : "group");
  require(!data.groups.are_folds || request.repeats == 1,
          "`repeats` {} and given folds cannot go together: there is one way to cut them", request.repeats);
  require(data.groups.are_folds || request.rule != Rule::paired,
          "`rule` paired takes rows for independent, which those of a group are not; use `rule` 1se");
  const int count = data.groups.count();
  for (const std::string& name : request.criteria) {
    if (names_several(name)) continue;
    const CriterionRequest c = find_criterion(name);
    require(c.criterion.partition != Criterion::Partition::blocks,
            "criterion '{}' holds out blocks of consecutive rows, not {}; use cv", name,
            data.groups.are_folds ? "the folds that are given" : "groups");
    if (c.criterion.partition == Criterion::Partition::none || name == c.criterion.name) continue;
    require(!data.groups.are_folds || c.folds == count,
            "criterion '{}' asks for {} folds, but {} are given; write {}", name, c.folds, count,
            c.criterion.name);
    require(c.folds <= count, "criterion '{}' needs at least {} groups; there are {}", name, c.folds, count);
  }
}

/// Errors are squares, which must neither be lost nor infinite.
void check_size_of_targets(const SelectionRequest& request, const TrainingData& data) {
  constexpr double most = 1e150, least = 1e-150;
  if (!data.classes.empty()) return;
  for (Index t = 0; t < data.y.cols(); ++t) {
    const auto y = data.y.col(t).array();
    if (y.size() == 0 || !y.allFinite()) continue;  // said where rows are named
    const double largest = y.abs().maxCoeff(),
                 reach = request.intercept ? (y - y[0]).abs().maxCoeff() : largest;
    if (largest < most && (reach == 0 || reach > least)) continue;
    fail(
        "target '{}' has values around {}, whose squares are beyond the range of numbers; give it in other "
        "units",
        data.target_names[static_cast<std::size_t>(t)], pretty(largest < most ? reach : largest, 2));
  }
}

/// Few groups tell little of others, and what takes rows for independent has seen their groups.
void warn_of_groups(const TrainingData& data, Selection& selection) {
  constexpr int few = 10;
  if (drawn_together(data).empty()) return;
  for (TargetSelection& target : selection.targets) {
    const CriterionOutcome& chosen = target.chosen();
    if (chosen.criterion.needs() != Account::held_out)
      target.warnings.push_back(fmt::format(
          "{} takes rows for independent, which those of a group are not: it may choose a fit that serves "
          "known groups only. cv holds out whole groups.",
          chosen.label));
    if (data.groups.count() < few)
      target.warnings.push_back(fmt::format(
          "The rows come from {} groups only: they tell little of others, and the interval of the "
          "error is rough.",
          data.groups.count()));
  }
}

/// What leaves out one unit of weight has seen the others.
void warn_of_weights(const TrainingData& data, Selection& selection) {
  if (!stand_for_several(data) || !data.groups.empty()) return;
  for (TargetSelection& target : selection.targets) {
    const CriterionOutcome& chosen = target.chosen();
    if (chosen.criterion.needs_leverages() && chosen.criterion.needs() != Account::held_out)
      target.warnings.push_back(
          fmt::format("{} leaves out one unit of a row's weight and keeps the rest, which gives the row "
                      "away: its fits may "
                      "be too close to rows of weight above 1. cv holds out whole rows.",
                      chosen.label));
  }
}

}  // namespace

Selection select(const TrainingData& data, const SelectionRequest& asked, const Progress& told) {
  const BlasThreads one(1);
  check_request(asked);
  check_averaging(asked, data);
  if (data.blocks && !reads_blocks(asked, data.blocks->rows(), data.blocks->cols())) {
    TrainingData whole = data;
    whole.x = data.blocks->whole();
    whole.blocks.reset();
    return select(whole, asked, told);
  }
  if (const bool grouped = !data.groups.empty(), weighted = has_weights(data);
      grouped > asked.grouped || weighted > asked.weighted) {
    SelectionRequest request = asked;
    request.grouped |= grouped, request.weighted |= weighted;
    return select(data, request, told);
  }
  check_groups(asked, data);
  check_size_of_targets(asked, data);
  const Listening listening(told);
  const Progress& progress = listening.progress();
  Selection selection;
  selection.request = asked;
  SelectionRequest request = asked;
  if (!is_tuned(asked) && asked.kernel.alternatives().empty() && chooses_width(asked, data)) {
    selection.widths = choose_width(asked, data, progress);
    request.width = selection.widths->chosen;
  }
  selection.filter = filter_of(request);
  selection.metric = is_tuned(request) ? Metric{Metric::Kind::train, {}, "train"} : metric_of(request, data);
  const std::unique_ptr<Searcher> searcher =
      is_tuned(request) ? search_parameters(data, request, progress)
                        : search_paths(data, request, selection.metric,
                                       selection.widths ? &*selection.widths : nullptr, progress);
  const auto criteria = asked_criteria(request, searcher->learner(), selection.metric, searcher->comparison(),
                                       selection.default_reason);
  for (Index t = 0; t < searcher->targets(); ++t) selection.targets.push_back(searcher->search(t, criteria));
  if (const std::string& first = criteria.front().request.label;
      selection.targets.front().chosen().label != first)
    selection.default_reason = first + " is undefined on these data";
  progress("fitting", 0);
  searcher->fit(selection);
  selection = with_widths_that_pay(std::move(selection), data, asked, progress);
  if (judges_chosen(data, request)) {
    judge_chosen(data, selection, progress);
    if (data.classes.empty()) warn_of_reach(data, selection);
  }
  warn_of_groups(data, selection);
  warn_of_weights(data, selection);
  progress("done", 1);
  return selection;
}

}  // namespace gnomon
