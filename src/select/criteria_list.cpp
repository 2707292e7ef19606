#include "criteria_list.hpp"

#include <algorithm>

#include "criteria/no_lags.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/criteria/criteria.hpp"
#include "make_tunable.hpp"

namespace gnomon {
namespace {

class CriteriaList {
 public:
  CriteriaList(const SelectionRequest& request, const Learner& learner, const Metric& metric,
               const Comparison& comparison)
      : request_(request),
        learner_(learner),
        metric_(metric),
        comparison_(comparison),
        searching_(is_tuned(request)) {}

  void add_default(std::string& reason) {
    const DefaultCriteria defaults = default_criteria(learner_, request_);
    if (list_.empty()) reason = defaults.reason;
    for (const std::string& each : defaults.names) {
      const CriterionRequest c = find_criterion(each);
      if (applies(c.criterion)) add(c, false);
    }
  }

  void add_all(std::string& reason) {
    const DefaultCriteria defaults = default_criteria(learner_, request_);
    if (list_.empty() && searching_) reason = defaults.reason;
    // The default chooses, the others are reported.
    for (std::size_t i = 0; i < (searching_ ? defaults.names.size() : 1); ++i)
      add(find_criterion(defaults.names[i]), false);
    for (const Criterion& c : criteria_catalog()) {
      const bool refits =
          c.needs() == Account::left_out && !learner_.linear() && !searching_;  // n of the path
      const bool repeated = searching_ && !c.same_as.empty();
      if (applies(c) && !refits && !repeated && !c.only_on_demand) add({c, std::string(c.name)}, searching_);
    }
  }

  void add_named(const std::string& name) { add_checked(find_criterion(name), name); }

  void add_checked(const CriterionRequest& c, const std::string& name) {
    const std::string why = c.criterion.undefined_for(learner_, metric_);
    require(why.empty(), "criterion '{}' is not defined for {}{}: {}", name,
            searching_ ? "a search over the parameters of " : "", request_.learner, why);
    require(!incomparable(c.criterion),
            "{} in the function space cannot choose a width or a kernel: every kernel has its own norm, so "
            "its values "
            "do not compare; use `metric` train or another criterion",
            name);
    require(!of_other_losses(c.criterion),
            "{} estimates Huber's loss, which is another one for every tau: it cannot choose tau; give one "
            "`tau`, or use cv or evidence",
            name);
    const std::string unpaired = no_lags(learner_, c.lags);
    require(unpaired.empty(), "criterion '{}': {}", name, unpaired);
    require(c.criterion.partition == Criterion::Partition::none || c.folds <= learner_.rows() ||
                name == c.criterion.name,
            "criterion '{}' needs at least {} rows; there are {}", name, c.folds, learner_.rows());
    add(c, false);
  }

  std::vector<AskedCriterion> finished() {
    require(!list_.empty(), "no criterion applies to {} here", request_.learner);
    return std::move(list_);
  }

 private:
  bool incomparable(const Criterion& c) const {
    return comparison_.several_kernels && c.kind(metric_) == ErrorKind::function_space;
  }
  bool of_other_losses(const Criterion& c) const { return comparison_.several_losses && c.own_loss; }
  bool applies(const Criterion& c) const {
    return c.undefined_for(learner_, metric_).empty() && !incomparable(c) && !of_other_losses(c);
  }
  void add(const CriterionRequest& c, bool optional) {
    const auto same = [&](const AskedCriterion& l) { return l.request.label == c.label; };
    if (std::none_of(list_.begin(), list_.end(), same)) list_.push_back({c, optional});
  }

  const SelectionRequest& request_;
  const Learner& learner_;
  const Metric& metric_;
  const Comparison& comparison_;
  bool searching_;
  std::vector<AskedCriterion> list_;
};

}  // namespace

CriterionWord criterion_word(std::string_view name) {
  return name == "auto" ? CriterionWord::automatic : name == "all" ? CriterionWord::all : CriterionWord::one;
}

std::vector<AskedCriterion> asked_criteria(const SelectionRequest& request, const Learner& learner,
                                           const Metric& metric, const Comparison& comparison,
                                           std::string& default_reason) {
  CriteriaList list(request, learner, metric, comparison);
  for (const std::string& name : request.criteria) {
    switch (criterion_word(name)) {
      case CriterionWord::automatic:
        list.add_default(default_reason);
        break;
      case CriterionWord::all:
        list.add_all(default_reason);
        break;
      case CriterionWord::one:
        list.add_named(name);
    }
  }
  for (const Criterion& own : request.own_criteria)
    list.add_checked({own, std::string(own.name)}, std::string(own.name));
  return list.finished();
}

}  // namespace gnomon
