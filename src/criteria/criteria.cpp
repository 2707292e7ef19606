#include "gnomon/criteria/criteria.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/named.hpp"

namespace gnomon {

const std::vector<Criterion>& criteria_catalog() {
  static const std::vector<Criterion> all{sic, rsic, sic_pilot, basic, sure,       cp,       gcv,  loo,
                                          cv,  iwcv, iwloo,     iwaic, cv_blocked, fpe,      fper, gpe,
                                          gen, nic,  aic,       aicc,  bic,        evidence, blend};
  return all;
}

const std::vector<CriterionAlias>& criterion_aliases() {
  static const std::vector<CriterionAlias> all{{"abic", "evidence"}, {"gml", "evidence"},
                                               {"reml", "evidence"}, {"press", "loo"},
                                               {"ocv", "loo"},       {"tic", "nic"}};
  return all;
}

namespace {

/// The name of the criterion that an alias stands for; other names are their own.
std::string_view own_name(std::string_view name) {
  for (const CriterionAlias& alias : criterion_aliases()) {
    if (alias.name == name) return alias.criterion;
  }
  return name;
}

}  // namespace

CriterionRequest find_criterion(std::string_view spec) {
  const auto colon = spec.find(':');
  const std::string_view name = own_name(spec.substr(0, colon));
  const std::vector<Criterion>& catalog = criteria_catalog();
  auto allowed = names_of(catalog);
  const auto found =
      std::find_if(catalog.begin(), catalog.end(), [&](const Criterion& c) { return c.name == name; });
  if (found == catalog.end()) {
    allowed.insert(allowed.end(), {"cv:K", "iwcv:K", "cv-blocked:K", "gen:M", "auto", "all"});
    for (const CriterionAlias& alias : criterion_aliases()) allowed.emplace_back(alias.name);
    refuse_unknown("criterion", spec, allowed);
  }
  CriterionRequest request{*found, std::string(name)};
  if (colon == std::string_view::npos) return request;
  request.label += spec.substr(colon);
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
