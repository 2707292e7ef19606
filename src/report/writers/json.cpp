#include <cmath>

#include "../words.hpp"
#include "gnomon/core/json.hpp"
#include "gnomon/report/writers.hpp"
#include "gnomon/select/candidates.hpp"
#include "gnomon/shift/weights.hpp"

namespace gnomon {
namespace {

using Json = nlohmann::ordered_json;

/// Names come from files; JSON is UTF-8 throughout, so broken bytes become U+FFFD.
std::string utf8(const std::string& text) {
  const auto replace = nlohmann::json::error_handler_t::replace;
  return nlohmann::json::parse(nlohmann::json(text).dump(-1, ' ', false, replace)).get<std::string>();
}

Json texts(const std::vector<std::string>& list) {
  Json json = Json::array();
  for (const std::string& text : list) json.push_back(utf8(text));
  return json;
}

Json numbers(const std::vector<double>& list) {
  return vector_to_json(Eigen::Map<const Vector>(list.data(), static_cast<Index>(list.size())));
}

Json data_of(const Study& study) {
  const auto& targets = study.selection.targets;
  Json json{{"rows", study.x.rows()}, {"features", study.x.cols()}};
  if (targets.size() == 1) {
    json["target"] = utf8(targets[0].target);
  } else {
    json["target"] = Json::array();
    for (const auto& t : targets) json["target"].push_back(utf8(t.target));
  }
  json["test_rows"] = study.test_rows;
  json["source"] = utf8(study.source);
  json["feature_names"] = texts(study.feature_names);
  if (study.weight.size() > 0) json["weight_sum"] = number_to_json(study.weight.sum());
  json["notes"] = texts(study.notes);
  return json;
}

Json learner_of(const Study& study) {
  const SelectionRequest& r = study.selection.request;
  const TargetSelection& t = study.selection.targets.at(0);
  Json json{{"name", r.learner}};
  if (is_kernel(study)) {
    json["kernel"] = r.kernel;
    json["width"] = number_to_json(t.chosen_width);
    if (r.learner == "kernel-ridge") json["penalty"] = r.penalty;
  } else {
    json["basis"] = basis_of(r);
  }
  if (!t.tuning_name.empty()) json[t.tuning_name] = number_to_json(t.chosen_tuning);
  if (r.learner == "additive") json["shift"] = r.shift;
  json["intercept"] = r.intercept;
  json["scale"] = name_of(study.scale);
  json["strategy"] = t.strategy;
  return json;
}

Json noise_of(const NoiseVariance& noise) {
  Json json{{"method", noise.method}};
  json["value"] = noise.per_lambda() ? Json(vector_to_json(noise.value))
                                     : Json(number_to_json(noise.value.size() ? noise.value[0] : undefined));
  json["reason"] = noise.reason;
  return json;
}

Json path_of(const Study& study, const TargetSelection& t) {
  Json json{{"lambda", numbers(t.lambda)}};
  if (!t.width.empty()) json["width"] = numbers(t.width);
  if (!t.tuning.empty()) json[t.tuning_name] = numbers(t.tuning);
  if (json.size() > 1) json["parameters"] = Json(json);
  json["df"] = vector_to_json(t.df);
  json["train_error"] = vector_to_json(t.train_error);
  json["criteria"] = Json::object();
  for (const CriterionOutcome& c : t.criteria) {
    Json curve{{"value", vector_to_json(c.curve.value)}};
    curve["se"] =
        c.curve.standard_error.size() ? Json(vector_to_json(c.curve.standard_error)) : Json(nullptr);
    curve["scale"] = to_string(c.kind);
    curve["estimates"] = c.criterion.estimates;
    curve["constant"] = number_to_json(c.curve.constant.value_or(undefined));
    if (!c.curve.covariance.empty()) curve["covariance"] = c.curve.covariance;
    json["criteria"][c.label] = std::move(curve);
  }
  if (study.truth) {
    json["truth"] = Json{{"value", vector_to_json(study.truth->value)},
                         {"noise_variance", number_to_json(study.truth->noise_variance)},
                         {"description", study.truth->description}};
  }
  return json;
}

Json selected_of(const TargetSelection& t) {
  Json json = Json::object();
  for (const CriterionOutcome& c : t.criteria) {
    const Selected none{undefined, undefined};
    const Selected& s = c.selected ? *c.selected : none;
    Json entry{
        {"lambda", number_to_json(s.lambda)}, {"value", number_to_json(s.value)}, {"at_edge", s.at_edge}};
    if (std::isfinite(c.width)) entry["width"] = c.width;
    if (std::isfinite(c.tuning)) entry[t.tuning_name] = c.tuning;
    entry["se"] = number_to_json(s.standard_error);
    json[c.label] = std::move(entry);
  }
  return json;
}

/// What certifies the fit, and what it rests on: columns in use, rows in the quadratic region, support vectors.
Json solution_of(const PathFit& fit) {
  return Json{{"objective", number_to_json(fit.objective)},
              {"gap", number_to_json(fit.gap)},
              {"converged", fit.converged},
              {"unique", fit.unique},
              {"active", fit.active},
              {"coefficients", vector_to_json(fit.coefficients)},
              {"offset", number_to_json(fit.offset)}};
}

Json chosen_of(const TargetSelection& t) {
  const CriterionOutcome& c = t.chosen();
  Json json{{"criterion", c.label}, {"lambda", number_to_json(t.chosen_lambda)}};
  if (std::isfinite(t.chosen_width)) json["width"] = t.chosen_width;
  if (std::isfinite(t.chosen_tuning)) json[t.tuning_name] = t.chosen_tuning;
  json["df"] = number_to_json(t.chosen_df);
  json["value"] = number_to_json(c.selected ? c.selected->value : undefined);
  json["se"] = number_to_json(c.selected ? c.selected->standard_error : undefined);
  json["train_error"] = number_to_json(t.chosen_train_error);
  if (t.solution) json["solution"] = solution_of(*t.solution);
  return json;
}

std::string_view kind_in_words(ShiftKind kind) {
  switch (kind) {
    case ShiftKind::none:
      return "none";
    case ShiftKind::usable:
      return "usable";
    case ShiftKind::severe:
      break;
  }
  return "severe";
}

void add_target(Json& json, const Study& study, std::size_t place) {
  const TargetSelection& t = study.selection.targets[place];
  const bool tested = place < study.test_error.size() && study.test_error[place];
  json["noise_variance"] = noise_of(t.noise);
  json["path"] = path_of(study, t);
  json["selected"] = selected_of(t);
  json["chosen"] = chosen_of(t);
  json["test_error"] = number_to_json(tested ? *study.test_error[place] : undefined);
  json["warnings"] = texts(t.warnings);
}

}  // namespace

nlohmann::ordered_json json_report(const ShiftStudy& shift) {
  const auto& verdict = shift.verdict;
  const auto or_null = [&](auto member) { return verdict ? Json(member(*verdict)) : Json(nullptr); };
  Json json{{"method", utf8(shift.method)}, {"parameters", Json::object()}};
  for (const auto& [name, value] : shift.parameters) json["parameters"][name] = number_to_json(value);
  json["effective_sample_size"] = number_to_json(effective_sample_size(shift.weight));
  json["p_value"] = or_null([](const auto& v) { return number_to_json(v.test.p_value); });
  json["kind"] = or_null([](const auto& v) { return kind_in_words(v.kind); });
  json["verdict"] = or_null([](const auto& v) { return utf8(v.sentence); });
  json["outside_share"] = or_null([](const auto& v) { return number_to_json(v.outside_share); });
  json["weights"] = vector_to_json(shift.weight);
  return json;
}

nlohmann::ordered_json json_report(const Study& study) {
  Json json{{"gnomon", GNOMON_VERSION}};
  json["data"] = data_of(study);
  json["learner"] = learner_of(study);
  if (study.shift) json["shift"] = json_report(*study.shift);
  if (study.selection.targets.size() == 1) {
    add_target(json, study, 0);
    return json;
  }
  json["targets"] = Json::array();
  for (std::size_t place = 0; place < study.selection.targets.size(); ++place) {
    Json target{{"target", utf8(study.selection.targets[place].target)}};
    add_target(target, study, place);
    json["targets"].push_back(std::move(target));
  }
  return json;
}

}  // namespace gnomon
