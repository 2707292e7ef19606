#include <cmath>

#include "core/json.hpp"
#include "gnomon/data/weights.hpp"
#include "gnomon/report/writers.hpp"
#include "gnomon/version.hpp"
#include "report/settings.hpp"
#include "report/words.hpp"
#include "select/candidates.hpp"

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
  if (!study.classes.empty()) json["classes"] = texts(study.classes);
  if (study.weight.size() > 0) json["weight_sum"] = number_to_json(study.weight.sum());
  json["notes"] = texts(study.notes);
  return json;
}

/// The parameters of one kind: a number if there is one, else an object by label.
template <class Value>
Json by_kind(const TunedSearch& tuned, Parameter::Kind kind, const Value& value) {
  Json all = Json::object();
  for (std::size_t i = 0; i < tuned.parameters.size(); ++i) {
    if (tuned.parameters[i].kind == kind) all[utf8(tuned.parameters[i].label())] = value(i);
  }
  return all.size() == 1 ? all.front() : all;
}
Json by_kind(const TunedSearch& tuned, Parameter::Kind kind, const Vector& values) {
  return by_kind(tuned, kind,
                 [&](std::size_t i) { return Json(number_to_json(values[static_cast<Index>(i)])); });
}

bool has_widths(const TunedSearch& tuned) { return tuned.parameters.back().kind == Parameter::Kind::width; }

/// The way to the chosen point: one array per parameter, by name, and the same by kind.
Json axes_of(const TunedSearch& tuned) {
  const auto column = [&](std::size_t i) {
    return Json(vector_to_json(tuned.points.col(static_cast<Index>(i))));
  };
  Json json{{"lambda", by_kind(tuned, Parameter::Kind::decay, column)}};
  if (has_widths(tuned)) json["width"] = by_kind(tuned, Parameter::Kind::width, column);
  json["parameters"] = Json::object();
  for (std::size_t i = 0; i < tuned.parameters.size(); ++i)
    json["parameters"][utf8(tuned.parameters[i].name)] = column(i);
  return json;
}

Json by_name(const TunedSearch& tuned, const Vector& values) {
  Json json = Json::object();
  for (Index i = 0; i < values.size(); ++i)
    json[utf8(tuned.parameters[static_cast<std::size_t>(i)].name)] = number_to_json(values[i]);
  return json;
}

/// Values, which parameters ran to a bound and what that means.
void add_parameters(Json& json, const TunedSearch& tuned, const Vector& values,
                    const std::vector<Verdict>& verdicts) {
  json["lambda"] = by_kind(tuned, Parameter::Kind::decay, values);
  if (has_widths(tuned)) json["width"] = by_kind(tuned, Parameter::Kind::width, values);
  json["parameters"] = by_name(tuned, values);
  json["verdicts"] = Json::object();
  json["dropped"] = Json::array();
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const Parameter& p = tuned.parameters[i];
    const bool free_width = verdicts[i] == Verdict::unregularized && p.kind == Parameter::Kind::width;
    json["verdicts"][utf8(p.name)] = free_width ? "lower bound" : in_words(verdicts[i]);
    if (verdicts[i] == Verdict::dropped) json["dropped"].push_back(utf8(p.label()));
  }
}

Json selected_by_search(const TargetSelection& t) {
  Json json = Json::object();
  for (std::size_t k = 0; k < t.criteria.size(); ++k) {
    const SearchResult& found = t.tuned->of_criterion[k];
    Json entry = Json::object();
    add_parameters(entry, *t.tuned, found.parameters.array().exp(), found.verdicts);
    entry["value"] = number_to_json(found.value);
    entry["at_edge"] = t.criteria[k].selected->at_edge;
    entry["df"] = number_to_json(t.criteria[k].df);
    entry["gradient_norm"] = number_to_json(found.gradient_norm);
    entry["evaluations"] = found.evaluations;
    entry["converged"] = found.converged;
    entry["status"] = utf8(found.status);
    json[t.criteria[k].label] = std::move(entry);
  }
  return json;
}

/// Every iterate of every search.
Json trace_of(const TargetSelection& t) {
  Json json = Json::array();
  for (std::size_t k = 0; k < t.criteria.size(); ++k) {
    for (const SearchPoint& p : t.tuned->of_criterion[k].trace) {
      json.push_back(Json{{"criterion", t.criteria[k].label},
                          {"start", p.start},
                          {"parameters", by_name(*t.tuned, p.parameters.array().exp())},
                          {"value", number_to_json(p.value)},
                          {"gradient_norm", number_to_json(p.gradient_norm)}});
    }
  }
  return json;
}

Json learner_of(const Study& study) {
  const SelectionRequest& r = study.selection.request;
  const TargetSelection& t = study.selection.targets.at(0);
  Json json{{"name", utf8(r.learner.name())}};
  if (const Mlp* network = study.selection.model.network()) {
    json["hidden"] = network->shape.hidden;
    json["weights"] = network->w.size();
    json["loss"] = mlp_loss_name(network->loss);
    json["decay_groups"] = r.decay_groups.name();
  } else if (is_kernel(study)) {
    json["kernel"] = utf8(r.kernel.name());
    json["width"] = t.tuned ? by_kind(*t.tuned, Parameter::Kind::width, t.tuned->chosen)
                            : Json(number_to_json(t.chosen_width));
    if (r.learner->takes("penalty")) json["penalty"] = r.penalty.name();
  } else {
    json["basis"] = utf8(basis_of(r));
  }
  if (!t.tuning_name.empty()) json[t.tuning_name] = number_to_json(t.chosen_tuning);
  if (r.learner->takes("shift")) json["shift"] = r.shift.name();
  json["intercept"] = r.intercept;
  json["scale"] = name_of(study.scale);
  json["strategy"] = t.strategy;
  return json;
}

Json value_of(const std::string& text, OptionKind kind) {
  switch (kind) {
    case OptionKind::text:
      return utf8(text);
    case OptionKind::whole:
      return std::stoll(text);
    case OptionKind::counter:
      return std::stoull(text);
    case OptionKind::flag:
      break;
  }
  return is_on(text);
}

Json asked_settings(const Study& study) {
  Json json = Json::object();
  for (const Setting& s : settings_of(study, 0)) json[s.name] = value_of(s.asked, s.kind);
  return json;
}

Json used_settings(const Study& study, std::size_t target) {
  Json json = Json::object();
  for (const Setting& s : settings_of(study, static_cast<Index>(target)))
    json[s.name] = s.number ? Json(number_to_json(*s.number)) : value_of(s.used, s.kind);
  return json;
}

Json noise_of(const NoiseVariance& noise) {
  Json json{{"method", utf8(noise.method)}};
  json["value"] = noise.per_lambda() ? Json(vector_to_json(noise.value))
                                     : Json(number_to_json(noise.value.size() ? noise.value[0] : undefined));
  json["reason"] = utf8(noise.reason);
  return json;
}

Json path_of(const Study& study, const TargetSelection& t) {
  Json json = t.tuned ? axes_of(*t.tuned) : Json{{"lambda", numbers(t.lambda)}};
  if (!t.width.empty()) json["width"] = numbers(t.width);
  if (!t.tuning.empty()) json[t.tuning_name] = numbers(t.tuning);
  if (json.size() > 1 && !t.tuned) json["parameters"] = Json(json);
  json["df"] = vector_to_json(t.df);
  json["train_error"] = vector_to_json(t.train_error);
  json["criteria"] = Json::object();
  for (const CriterionOutcome& c : t.criteria) {
    Json curve{{"value", vector_to_json(c.curve.value)}};
    curve["se"] =
        c.curve.standard_error.size() ? Json(vector_to_json(c.curve.standard_error)) : Json(nullptr);
    curve["scale"] = to_string(c.kind);
    curve["estimates"] = estimates_in_words(c);
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
  if (t.tuned) return selected_by_search(t);
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
  if (t.tuned) add_parameters(json, *t.tuned, t.tuned->chosen, t.tuned->verdicts);
  if (std::isfinite(t.chosen_width)) json["width"] = t.chosen_width;
  if (std::isfinite(t.chosen_tuning)) json[t.tuning_name] = t.chosen_tuning;
  json["df"] = number_to_json(t.chosen_df);
  json["value"] = number_to_json(c.selected ? c.selected->value : undefined);
  json["se"] = number_to_json(c.selected ? c.selected->standard_error : undefined);
  json["train_error"] = number_to_json(t.chosen_train_error);
  if (t.tuned) json["gamma"] = by_name(*t.tuned, t.tuned->gamma);
  if (t.tuned && std::isfinite(t.tuned->gradient_norm))
    json["training"] =
        Json{{"gradient_norm", number_to_json(t.tuned->gradient_norm)}, {"status", utf8(t.tuned->training)}};
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
  if (t.tuned) json["trace"] = trace_of(t);
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
  Json json{{"gnomon", version()}};
  json["data"] = data_of(study);
  json["learner"] = learner_of(study);
  json["settings"] = Json{{"seed", study.selection.request.seed}, {"asked", asked_settings(study)}};
  if (study.shift) json["shift"] = json_report(*study.shift);
  if (study.selection.targets.size() == 1) {
    json["settings"]["used"] = used_settings(study, 0);
    add_target(json, study, 0);
    return json;
  }
  json["targets"] = Json::array();
  for (std::size_t place = 0; place < study.selection.targets.size(); ++place) {
    Json target{{"target", utf8(study.selection.targets[place].target)}};
    target["settings"] = Json{{"used", used_settings(study, place)}};
    add_target(target, study, place);
    json["targets"].push_back(std::move(target));
  }
  return json;
}

}  // namespace gnomon
