#include <algorithm>
#include <iterator>

#include "contest.hpp"
#include "found_world.hpp"
#include "searched.hpp"
#include "select/parameter_search.hpp"

namespace gnomon::compare {
namespace {

/// Nothing is shared between data sets: every criterion searches anew on each of them.
class SearchContest final : public Contest {
 public:
  SearchContest(TrainingData data, SelectionRequest request, const Progress& progress)
      : Contest(std::move(data), std::move(request)) {
    metric_ = {Metric::Kind::train, {}, "train"};
    const auto searcher = search_parameters(data_, request_, progress);
    choose_criteria(searcher->learner(), searcher->comparison());
    SelectionRequest by_default = request_;
    by_default.criteria = {"auto"};
    std::string reason;
    auto criteria = asked_criteria(by_default, searcher->learner(), metric_, searcher->comparison(), reason);
    criteria.erase(criteria.begin() + 1, criteria.end());
    // Those named must be able to search the user's own data, or what is wrong is said here.
    std::copy_if(asked_.begin(), asked_.end(), std::back_inserter(criteria), [&](const AskedCriterion& c) {
      return !c.optional && c.request.label != criteria.front().request.label;
    });
    const TargetSelection found = searcher->search(0, criteria);
    world_ = world_of_search(searcher->learner(), found.search()->chosen, data_, request_.noise);
    request_.criteria = labels_;
    stages_ = make_stages(data_, request_, world_);
  }

  bool searches() const override { return true; }

  Trial trial(std::size_t stage, const Vector& y, std::size_t which,
              const SelectionRequest& asking) const override {
    const Stage& at = stages_[stage];
    const SearchedChoices choices = search_choices(at.with_targets(y), asking, asked_, at.data.test_x);
    const auto error = [&](const Vector& predicted) {
      return mean_square(predicted - at.truth[which], at.judge_weight);
    };
    return trial_of_search(choices, error, [&](std::size_t c) {
      const SearchedChoice& own = choices.criteria[c];
      return wanted(c, error(own.predicted), mean_square(own.fitted - at.truth_known[which], {}), undefined);
    });
  }

  void choose_by(std::size_t criterion, std::size_t stage, const Vector& y) const override {
    search_choices(stages_[stage].with_targets(y), request_, {asked_[criterion]}, stages_[stage].data.test_x);
  }
};

}  // namespace

std::unique_ptr<const Contest> contest_of_searches(TrainingData data, SelectionRequest request,
                                                   const Progress& progress) {
  return std::make_unique<SearchContest>(std::move(data), std::move(request), progress);
}

}  // namespace gnomon::compare
