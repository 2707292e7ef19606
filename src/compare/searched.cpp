#include "searched.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "select/parameter_search.hpp"

namespace gnomon::compare {
namespace {

Vector unregularized_point(const std::vector<Parameter>& parameters) {
  Vector point(static_cast<Index>(parameters.size()));
  for (Index i = 0; i < point.size(); ++i) {
    const Parameter& p = parameters[static_cast<std::size_t>(i)];
    point[i] = p.kind == Parameter::Kind::decay ? p.lower : p.unit;
  }
  return point;
}

/// Nothing where no criterion is defined.
TargetSelection choices_of(Searcher& searcher, std::vector<AskedCriterion> criteria) {
  for (AskedCriterion& c : criteria) c.optional = true;
  try {
    return searcher.search(0, criteria);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

double common_decay(const std::vector<Parameter>& parameters, const Vector& point) {
  double sum = 0, count = 0;
  for (Index i = 0; i < point.size(); ++i) {
    if (parameters[static_cast<std::size_t>(i)].kind != Parameter::Kind::decay) continue;
    sum += std::log(point[i]);
    ++count;
  }
  return std::exp(sum / count);
}

SearchedChoices search_choices(const TrainingData& data, const SelectionRequest& request,
                               const std::vector<AskedCriterion>& criteria, const Matrix& inputs) {
  SearchedChoices out;
  out.criteria.resize(criteria.size());
  const auto searcher = search_parameters(data, request, {});
  const Learner& learner = searcher->learner();
  const TargetSelection result = choices_of(*searcher, criteria);
  for (const SearchOutcome& outcome : result.search()->criteria) {
    const auto at = std::find_if(criteria.begin(), criteria.end(),
                                 [&](const AskedCriterion& c) { return c.request.label == outcome.label; });
    SearchedChoice& choice = out.criteria[static_cast<std::size_t>(at - criteria.begin())];
    const Vector point = outcome.search.parameters.array().exp();
    const Fit fit = learner.fit_at(point);
    choice = {true, common_decay(learner.parameters(), point), outcome.search.value, fit.fitted.col(0),
              fit.model.predict(inputs).col(0)};
  }
  out.unregularized = learner.fit_at(unregularized_point(learner.parameters())).model.predict(inputs).col(0);
  return out;
}

Trial trial_of_search(const SearchedChoices& choices, const std::function<double(const Vector&)>& error,
                      const std::function<double(std::size_t)>& wanted) {
  Trial trial;
  trial.least = HUGE_VAL;
  trial.unregularized = error(choices.unregularized);
  for (std::size_t c = 0; c < choices.criteria.size(); ++c) {
    const SearchedChoice& own = choices.criteria[c];
    Choice choice;
    if (own.found) choice = {error(own.predicted), own.lambda, own.estimate - wanted(c)};
    if (choice.error < trial.least) trial.least = choice.error;
    trial.choices.push_back(choice);
  }
  return trial;
}

}  // namespace gnomon::compare
