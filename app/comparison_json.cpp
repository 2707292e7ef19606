#include <fmt/format.h>

#include <cmath>

#include "compare/noise_families.hpp"
#include "comparison.hpp"
#include "gnomon/version.hpp"

namespace gnomon::app {
namespace {

using Json = nlohmann::ordered_json;
using compare::Mean;
using compare::Score;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }
Json json_of_mean(const Mean& mean) {
  return {{"mean", number_or_null(mean.value)}, {"se", number_or_null(mean.standard_error)}};
}

Json json_of_score(const Score& s) {
  Json json;
  json["regret"] = json_of_mean(s.regret);
  json["regret"]["quantile_95"] = number_or_null(s.regret_95);
  json["error"] = json_of_mean(s.error);
  json["improvement_probability"] = number_or_null(s.improvement_probability);
  json["mean_relative_improvement"] = number_or_null(s.relative_improvement.value);
  json["mean_relative_improvement_se"] = number_or_null(s.relative_improvement.standard_error);
  json["bias"] = number_or_null(s.bias.value);
  json["bias_se"] = number_or_null(s.bias.standard_error);
  json["bias_sd"] = number_or_null(s.bias_deviation);
  json["log10_lambda_sd"] = number_or_null(s.decades);
  json["behind_best"] = json_of_mean(s.behind);
  json["ties"] = s.ties;
  json["undefined_in"] = s.undefined_in;
  return json;
}

Json by_name(const std::vector<Score>& ranked) {
  Json json = Json::object();
  for (const Score& s : ranked) json[s.name] = json_of_score(s);
  return json;
}

Json ranking_of(const std::vector<Score>& ranked) {
  Json names = Json::array();
  for (const Score& s : ranked) names.push_back(s.name);
  return names;
}

Json ties_of(const std::vector<Score>& ranked) {
  Json names = Json::array();
  for (const Score& s : ranked)
    if (s.ties) names.push_back(s.name);
  return names;
}

Json held_out(const std::vector<Score>& ranked) {
  Json json;
  json["ranking"] = ranking_of(ranked);
  json["ties"] = ties_of(ranked);
  for (const Score& s : ranked)
    json["test_error"][s.name] = {{"mean", number_or_null(s.error.value)},
                                  {"se", number_or_null(s.error.standard_error)},
                                  {"behind_best", json_of_mean(s.behind)},
                                  {"ties", s.ties},
                                  {"undefined_in", s.undefined_in}};
  return json;
}

Json json_of_world(const compare::World& world) {
  Json truths = Json::array();
  for (const auto& t : world.truths)
    truths.push_back({{"name", t.name}, {"lambda", number_or_null(t.lambda)}, {"df", number_or_null(t.df)}});
  return truths;
}

/// One learner on one target.
Json json_of_criteria(const ComparedCriteria& found, Index splits) {
  Json json;
  json["learner"] = found.learner;
  json["trials"] = found.trials.size();
  json["trials_file"] = found.trials_file.empty() ? Json() : Json(found.trials_file);
  json["regret_against"] =
      found.searches ? "least among the choices of all criteria" : "least on the path of lambda";
  json["noise_variance"] = {{"method", found.world.sigma2_method},
                            {"value", number_or_null(found.world.sigma2)}};
  json["truths"] = json_of_world(found.world);
  json["criteria"] = by_name(found.ranked);
  for (const auto& [name, seconds] : found.seconds)
    if (json["criteria"].contains(name)) json["criteria"][name]["seconds"] = seconds;
  json["ranking"] = ranking_of(found.ranked);
  json["ties"] = ties_of(found.ranked);
  json["left_out"] = found.left_out;
  json["recommendation"] = found.recommendation;
  json["combinations"] = Json::array();
  for (const auto& g : found.groups)
    json["combinations"].push_back(
        {{"truth", g.truth}, {"noise", g.noise}, {"trials", g.data_sets}, {"criteria", by_name(g.ranked)}});
  json["splits"] = nullptr;
  if (!found.on_splits.empty()) {
    json["splits"] = {{"count", splits}, {"test_share", 0.2}};
    json["splits"].update(held_out(found.on_splits));
  }
  json["settings"] = Json::object();
  for (const auto& [name, value] : found.settings) json["settings"][name] = value;
  return json;
}

/// The first learner, and all of them where several were named.
Json json_of_target(const ComparedTarget& target, Index splits) {
  Json json{{"target", target.name}};
  json.update(json_of_criteria(target.learners.front(), splits));
  json["recommendation"] = target.recommendation;
  json["learners"] = nullptr;
  if (target.held_out.empty()) return json;
  json["learners"] = {{"splits", splits}, {"recommendation", target.held_out_words}};
  json["learners"].update(held_out(target.held_out));
  for (const ComparedCriteria& found : target.learners)
    json["by_learner"][found.learner] = json_of_criteria(found, splits);
  return json;
}

}  // namespace

Json json_of(const ComparisonResult& result) {
  const ComparedTarget& first = result.targets.front();
  Json json{{"gnomon", version()}};
  json["data"] = {{"rows", result.rows}, {"features", result.features}, {"target", first.name}};
  json["seed"] = result.seed;
  json["measured"] =
      fmt::format("mean squared error of the fitted function {}; noise excluded", where_judged(result));
  json["noises"] = Json::array();
  for (const auto& family : compare::noise_families())
    json["noises"].push_back({{"name", family.name}, {"words", family.words}});
  json.update(json_of_target(first, result.splits));
  json["recommendation"] = result.recommendation();
  if (result.targets.size() > 1) {
    for (const ComparedTarget& target : result.targets)
      json["by_target"][target.name] = json_of_target(target, result.splits);
  }
  json["notes"] = result.notes;
  return json;
}

}  // namespace gnomon::app
