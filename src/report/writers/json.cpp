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
  Json json{{"rows", row_count(study)}, {"features", feature_count(study)}};
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

Json selected_of(const TunedSearch& tuned) {
  Json json = Json::object();
  for (const SearchOutcome& c : tuned.criteria) {
    const SearchResult& found = c.search;
    Json entry = Json::object();
    add_parameters(entry, tuned, found.parameters.array().exp(), found.verdicts);
    entry["value"] = number_to_json(found.value);
    entry["at_edge"] = c.selected->at_edge;
    entry["df"] = number_to_json(c.df);
    entry["gradient_norm"] = number_to_json(found.gradient_norm);
    entry["evaluations"] = found.evaluations;
    entry["converged"] = found.converged;
    entry["status"] = utf8(found.status);
    json[c.label] = std::move(entry);
  }
  return json;
}

/// Every iterate of every search.
Json trace_of(const TunedSearch& tuned) {
  Json json = Json::array();
  for (const SearchOutcome& c : tuned.criteria) {
    for (const SearchPoint& p : c.search.trace) {
      json.push_back(Json{{"criterion", c.label},
                          {"start", p.start},
                          {"parameters", by_name(tuned, p.parameters.array().exp())},
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
    json["kernel"] = utf8(representation_name(study, t));
    json["width"] = t.path() ? Json(number_to_json(t.path()->chosen().width))
                             : by_kind(*t.search(), Parameter::Kind::width, t.search()->chosen);
    if (const auto& tried = study.selection.widths)
      json["width_search"] = {{"width", numbers(tried->width)},
                              {"value", numbers(tried->value)},
                              {"median", number_to_json(tried->median)},
                              {"rows", tried->rows}};
    if (r.learner->takes("penalty")) json["penalty"] = r.penalty.name();
  } else {
    json["basis"] = utf8(representation_name(study, t));
  }
  if (const SelectionPath* path = t.path(); path && !path->tuning_name.empty())
    json[path->tuning_name] = number_to_json(path->chosen().tuning);
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

/// λ of every point, and beside it what else was tried.
Json axes_of(const SelectionPath& path) {
  Json json{{"lambda", numbers(path.lambda)}};
  if (!path.width.empty()) json["width"] = numbers(path.width);
  if (!path.tuning.empty()) json[path.tuning_name] = numbers(path.tuning);
  if (!path.representation.empty()) json[path.representation_name] = texts(path.representation);
  if (json.size() > 1) json["parameters"] = Json(json);
  return json;
}

Json path_of(const Study& study, const TargetSelection& t) {
  Json json = std::visit(
      [](const auto& found) {
        Json points = axes_of(found);
        points["df"] = vector_to_json(found.df);
        points["train_error"] = vector_to_json(found.train_error);
        return points;
      },
      t.found);
  json["criteria"] = Json::object();
  for (const CriterionOutcome* c : t.criteria()) {
    Json curve{{"value", vector_to_json(c->curve.value)}};
    curve["se"] =
        c->curve.standard_error.size() ? Json(vector_to_json(c->curve.standard_error)) : Json(nullptr);
    if (c->curve.difference_error.size()) curve["difference_se"] = vector_to_json(c->curve.difference_error);
    curve["scale"] = to_string(c->kind);
    curve["estimates"] = estimates_in_words(study, *c);
    curve["constant"] = number_to_json(c->curve.constant.value_or(undefined));
    if (!c->curve.covariance.empty()) curve["covariance"] = c->curve.covariance;
    if (std::isfinite(c->curve.gamma)) curve["gamma"] = c->curve.gamma;
    if (c->curve.variance.size()) {
      curve["squared_bias"] = vector_to_json(c->curve.squared_bias);
      curve["variance"] = vector_to_json(c->curve.variance);
      curve["bias_less_constant"] = c->curve.bias_less_constant;
    }
    json["criteria"][c->label] = std::move(curve);
  }
  if (study.truth) {
    json["truth"] = Json{{"value", vector_to_json(study.truth->value)},
                         {"noise_variance", number_to_json(study.truth->noise_variance)},
                         {"description", study.truth->description}};
  }
  return json;
}

Json selected_of(const SelectionPath& path) {
  Json json = Json::object();
  for (const PathOutcome& c : path.criteria) {
    const Selected s = c.selected.value_or(Selected{undefined});
    Json entry{
        {"lambda", number_to_json(c.lambda)}, {"value", number_to_json(s.value)}, {"at_edge", s.at_edge}};
    if (std::isfinite(c.width)) entry["width"] = c.width;
    if (std::isfinite(c.tuning)) entry[path.tuning_name] = c.tuning;
    if (!c.representation.empty()) entry[path.representation_name] = utf8(c.representation);
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

void add_point(Json& json, const SelectionPath& path) {
  const PathOutcome& chosen = path.chosen();
  json["lambda"] = number_to_json(chosen.lambda);
  if (std::isfinite(chosen.width)) json["width"] = chosen.width;
  if (std::isfinite(chosen.tuning)) json[path.tuning_name] = chosen.tuning;
  if (!chosen.representation.empty()) json[path.representation_name] = utf8(chosen.representation);
}
void add_point(Json& json, const TunedSearch& tuned) {
  add_parameters(json, tuned, tuned.chosen, tuned.verdicts);
}

/// The fits of an average, one entry for every width, kernel or basis.
Json combined_of(const SelectionPath& path) {
  Json json = Json::array();
  for (const CombinedFits& fits : path.combined) {
    Json entry = Json::object();
    if (std::isfinite(fits.width)) entry["width"] = fits.width;
    if (!fits.representation.empty()) entry[path.representation_name] = utf8(fits.representation);
    entry["weight"] = number_to_json(fits.total_weight());
    entry["lambda"] = number_to_json(fits.mean_lambda());
    entry["fits"] = Json{
        {"lambda", numbers(fits.lambda)}, {"weight", numbers(fits.weight)}, {"value", numbers(fits.value)}};
    json.push_back(std::move(entry));
  }
  return json;
}

void add_fit(Json& json, const SelectionPath& path) {
  if (!path.combined.empty()) {
    json["combined"] = combined_of(path);
    json["effective_fits"] = number_to_json(effective_fit_count(path.combined));
  }
  if (path.solution) json["solution"] = solution_of(*path.solution);
}
void add_fit(Json& json, const TunedSearch& tuned) {
  json["gamma"] = by_name(tuned, tuned.gamma);
  if (std::isfinite(tuned.gradient_norm))
    json["training"] =
        Json{{"gradient_norm", number_to_json(tuned.gradient_norm)}, {"status", utf8(tuned.training)}};
}

/// offset + Σ coefficient × column in the units of the columns, where the fit is such a sum.
void add_equation(Json& json, const Study& study, Index target) {
  const auto equation = equation_of(study, target);
  if (!equation) return;
  json["coefficients"] = Json::object();
  for (Index j = 0; j < equation->coefficients.size(); ++j)
    json["coefficients"][utf8(study.feature_names[static_cast<std::size_t>(j)])] =
        number_to_json(equation->coefficients[j]);
  json["offset"] = number_to_json(equation->offset);
}

/// The error of the delivered fit, and what it is measured by.
void add_error(Json& json, const std::optional<ChosenError>& error) {
  if (!error) {
    for (const char* name : {"error", "rmse", "r_squared", "baseline_error"}) json[name] = nullptr;
    return;
  }
  json["error"] = Json{{"value", number_to_json(error->value)}, {"low", number_to_json(error->low)},
                       {"high", number_to_json(error->high)},   {"level", error->level},
                       {"estimates", error->estimates},         {"method", error->method}};
  json["rmse"] = number_to_json(error->rmse());
  json["r_squared"] = number_to_json(error->r_squared());
  json["baseline_error"] = number_to_json(error->baseline);
  if (!error->squared) json["error_rate"] = number_to_json(error->error_rate);
  json["differences"] = Json::object();
  for (const ErrorDifference& d : error->differences)
    json["differences"][d.criterion] =
        Json{{"value", number_to_json(d.value)}, {"se", number_to_json(d.standard_error)}};
}

Json chosen_of(const TargetSelection& t) {
  const CriterionOutcome& c = t.chosen();
  Json json{{"criterion", c.label}};
  std::visit([&](const auto& found) { add_point(json, found); }, t.found);
  json["df"] = number_to_json(t.chosen_df);
  json["value"] = number_to_json(c.selected ? c.selected->value : undefined);
  json["se"] = number_to_json(c.selected ? c.selected->standard_error : undefined);
  json["train_error"] = number_to_json(t.chosen_train_error);
  add_error(json, t.error);
  std::visit([&](const auto& found) { add_fit(json, found); }, t.found);
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
  json["selected"] = std::visit([](const auto& found) { return selected_of(found); }, t.found);
  json["chosen"] = chosen_of(t);
  add_equation(json["chosen"], study, static_cast<Index>(place));
  if (t.search()) json["trace"] = trace_of(*t.search());
  json["test_error"] = number_to_json(tested ? *study.test_error[place] : undefined);
  json["test_error_se"] = number_to_json(test_error_se(study, place));
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
