#include "gnomon/catalog.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "gnomon/core/text.hpp"
#include "select/learners/learners.hpp"

namespace gnomon {
namespace {

[[noreturn]] void unknown(std::string_view what, std::string_view name,
                          const std::vector<std::string>& allowed) {
  throw UsageError(
      fmt::format("unknown {} '{}'; allowed: {}{}", what, name, join(allowed), suggestion(name, allowed)));
}

}  // namespace

const std::vector<LearnerEntry>& learner_catalog() {
  static const std::vector<LearnerEntry> entries{
      learners::ridge(),     learners::kernel_ridge(), learners::spectral_cutoff(),
      learners::landweber(), learners::lasso(),        learners::elastic_net(),
      learners::huber(),     learners::svr(),          learners::additive(),
      learners::iwls(),      learners::mlp()};
  return entries;
}

const LearnerEntry& find_learner(std::string_view name) {
  for (const auto& entry : learner_catalog()) {
    if (entry.name == name) return entry;
  }
  unknown("learner", name, names_of(learner_catalog()));
}

Filter find_filter(std::string_view learner, Named<Penalty> penalty) {
  const LearnerEntry& entry = find_learner(learner);
  require(entry.linear(), "{} is not a filter on a spectrum", learner);
  return entry.filter(penalty).filter;
}

CriterionRequest find_criterion(std::string_view spec) {
  const auto colon = spec.find(':');
  const std::string_view name = spec.substr(0, colon);
  auto allowed = names_of(criteria_catalog);
  const auto found = std::find_if(criteria_catalog.begin(), criteria_catalog.end(),
                                  [&](const Criterion& c) { return c.name == name; });
  if (found == criteria_catalog.end()) {
    allowed.insert(allowed.end(), {"cv:K", "iwcv:K", "cv-blocked:K", "gen:M", "auto", "all"});
    unknown("criterion", spec, allowed);
  }
  CriterionRequest request{*found, std::string(spec)};
  if (colon == std::string_view::npos) return request;
  const auto number = parse_number(spec.substr(colon + 1));
  const auto whole_from = [&](double least) {
    return number && *number == std::floor(*number) && *number >= least && *number <= 1e6;
  };
  if (found->argument == Criterion::Argument::lags) {
    if (!whole_from(0))
      throw UsageError(fmt::format(
          "criterion '{}' is not understood; gen:M takes the number of rows M ≥ 0 over which they depend",
          spec));
    request.lags = static_cast<int>(*number);
    return request;
  }
  if (found->argument != Criterion::Argument::folds || !whole_from(2))
    throw UsageError(
        fmt::format("criterion '{}' is not understood; only cv, iwcv and cv-blocked take a number, cv:K "
                    "with K ≥ 2 folds, and gen:M",
                    spec));
  request.folds = static_cast<int>(*number);
  return request;
}

}  // namespace gnomon
