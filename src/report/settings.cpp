#include "settings.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "select/candidates.hpp"
#include "select/options.hpp"
#include "shift_words.hpp"
#include "words.hpp"

namespace gnomon {
namespace {

struct Used {
  std::string text;
  std::optional<double> number{};
};

const SelectionRequest& request_of(const Study& study) { return study.selection.request; }

/// Solved anew for every λ.
bool is_solved(const TargetSelection& t) { return t.path() && t.path()->solution; }
/// A filter on a spectrum, rather than a solver or a search over several parameters.
bool is_filtered(const TargetSelection& t) { return t.path() && !t.path()->solution; }

Used learner(const Study& study, const TargetSelection& t) {
  const LearnerEntry& entry = *request_of(study).learner;
  if (is_filtered(t)) return {std::string(study.selection.filter.name) + " filter"};
  if (entry.linear() && is_solved(t))
    return {entry.name + ", rows weighted by importance and solved anew for every λ"};
  return {entry.name};
}

Used representation(const Study& study, const TargetSelection& t) {
  return {representation_in_words(study, t)};
}

Used width(const Study& study, const TargetSelection& t) {
  const double chosen = t.path()->chosen().width;
  const bool scaled = std::isfinite(chosen) && study.scale != Scale::none;
  return {pretty(chosen, 6) + (scaled ? " in units of the scaled inputs" : ""), chosen};
}

Used basis(const Study& study, const TargetSelection& t) { return {representation_name(study, t)}; }

Used subsets(const Study&, const TargetSelection& t) { return {t.path()->chosen().representation}; }

Used flattening(const Study& study, const TargetSelection& t) {
  const double exponent = flattening_of(study, t);
  return {pretty(exponent, 6), exponent};
}

Used lambda(const Study&, const TargetSelection& t) {
  if (const TunedSearch* tuned = t.search())
    return {std::to_string(tuned->parameters.size()) + " parameters, see above"};
  const SelectionPath& path = *t.path();
  const auto places = path_at(path, path.chosen());
  if (places.empty()) return {};
  const auto at = [&](Index k) { return path.lambda[static_cast<std::size_t>(k)]; };
  if (places.size() == 1) return {pretty(at(places[0]), 3), at(places[0])};
  return {fmt::format("{} to {}, {} values", pretty(at(places.front()), 3), pretty(at(places.back()), 3),
                      places.size())};
}

Used criteria(const Study&, const TargetSelection& t) {
  std::vector<std::string> labels;
  for (const CriterionOutcome* c : t.criteria()) labels.push_back(c->label);
  return {join(labels)};
}

Used noise(const Study&, const TargetSelection& t) { return {t.noise.method}; }

Used metric(const Study& study, const TargetSelection&) { return {study.selection.metric.description}; }

Used search(const Study& study, const TargetSelection& t) {
  const Search asked = request_of(study).search;
  const TunedSearch* tuned = t.search();
  if (!tuned) return {std::string(name_of(is_filtered(t) ? asked : Search::grid))};
  const Search searched = asked == Search::mackay ? Search::mackay : Search::gradient;
  return {std::string(name_of(tuned->searched ? searched : Search::grid))};
}

Used rule(const Study& study, const TargetSelection&) {
  switch (Rule(request_of(study).rule)) {
    case Rule::minimum:
      return {"least value"};
    case Rule::one_standard_error:
      return {"one standard error"};
    case Rule::paired:
      return {"one standard error of the difference"};
  }
  fail("a rule of unknown kind: name it in settings.cpp");
}

Used strategy(const Study&, const TargetSelection& t) { return {t.strategy}; }

Used features(const Study& study, const TargetSelection&) {
  constexpr std::size_t most = 30;
  const auto& names = study.feature_names;
  if (names.size() <= most) return {join(names)};
  return {fmt::format("{} and {} more", join({names.begin(), names.begin() + most}), names.size() - most)};
}

Used scale(const Study& study, const TargetSelection&) { return {std::string(name_of(study.scale))}; }

Used weights(const Study& study, const TargetSelection&) {
  return {study.shift ? study.shift->method : study.weight.size() ? "counts" : "none"};
}

// Options that apply to the request but played no part in the end.
bool no_width(const Study& study, const TargetSelection& t) {
  return t.search() || !request_of(study).kernel.takes_width();
}
bool on_kernel(const Study& study, const TargetSelection&) { return is_kernel(study); }
bool no_shift(const Study& study, const TargetSelection&) { return !study.shift; }
bool no_groups(const Study& study, const TargetSelection&) { return request_of(study).groups.empty(); }
bool all_columns(const Study& study, const TargetSelection&) { return request_of(study).subsets.empty(); }
bool no_filter(const Study&, const TargetSelection& t) { return !is_filtered(t); }
bool no_solver(const Study&, const TargetSelection& t) { return !is_solved(t); }

/// Options of which more is known than what was asked for; `used` null: used as asked for, `idle` null: never.
struct Outcome {
  std::string_view name;
  Used (*used)(const Study&, const TargetSelection&);
  bool (*idle)(const Study&, const TargetSelection&) = nullptr;
};
constexpr std::array outcomes{Outcome{"learner", learner},
                              Outcome{"kernel", representation},
                              Outcome{"width", width, no_width},
                              Outcome{"basis", basis, on_kernel},
                              Outcome{"subsets", subsets, all_columns},
                              Outcome{"flattening", flattening, no_shift},
                              Outcome{"groups", nullptr, no_groups},
                              Outcome{"hidden", representation},
                              Outcome{"lambda", lambda},
                              Outcome{"criterion", criteria},
                              Outcome{"noise", noise},
                              Outcome{"metric", metric},
                              Outcome{"divergence", nullptr, no_solver},
                              Outcome{"bootstrap", nullptr, no_solver},
                              Outcome{"bootstrap-residuals", nullptr, no_solver},
                              Outcome{"search", search},
                              Outcome{"rule", rule},
                              Outcome{"strategy", strategy, no_filter},
                              Outcome{"features", features},
                              Outcome{"scale", scale},
                              Outcome{"weights", weights}};

const Outcome* outcome_of(std::string_view name) {
  const auto found =
      std::find_if(outcomes.begin(), outcomes.end(), [&](const Outcome& o) { return o.name == name; });
  return found == outcomes.end() ? nullptr : &*found;
}

Setting complete(Setting setting, const Study& study, const TargetSelection& t) {
  setting.used = setting.asked;
  if (setting.asked.empty()) setting.asked = "auto";
  if (const SelectionPath* path = t.path(); path && setting.name == path->tuning_name) {
    setting.asked = tuning_text(request_of(study));
    setting.used = pretty(path->chosen().tuning, 6);
    setting.number = path->chosen().tuning;
    return setting;
  }
  if (const Outcome* outcome = outcome_of(setting.name); outcome && outcome->used) {
    Used used = outcome->used(study, t);
    setting.used = std::move(used.text);
    setting.number = used.number;
  }
  return setting;
}

/// What the study was told of its data, and what is known of them in any case.
std::vector<std::pair<std::string, std::string>> asked_of_data(const Study& study) {
  auto asked = study.asked;
  std::erase_if(asked, [](const auto& a) { return a.second.empty() && !outcome_of(a.first); });
  const auto otherwise = [&](const std::string& name, const std::string& text) {
    const bool there =
        std::any_of(asked.begin(), asked.end(), [&](const auto& a) { return a.first == name; });
    if (!there) asked.emplace_back(name, text);
  };
  otherwise("metric", request_of(study).metric ? study.selection.metric.description : "");
  otherwise("scale", std::string(name_of(study.scale)));
  otherwise("features", "");
  return asked;
}

}  // namespace

std::vector<Setting> settings_of(const Study& study, Index target) {
  const TargetSelection& t = target_of(study, target);
  const SelectionRequest& r = request_of(study);
  std::vector<Setting> settings;
  const auto add = [&](Setting setting) {
    const Outcome* outcome = outcome_of(setting.name);
    if (outcome && outcome->idle && outcome->idle(study, t)) return;
    settings.push_back(complete(std::move(setting), study, t));
  };
  const std::string tuning = t.path() ? t.path()->tuning_name : "";
  bool tuning_has_option = false;
  for (const auto& option : selection_options()) {
    tuning_has_option |= option.name == tuning;
    if (option.refusal && !option.refusal(r).empty()) continue;
    add({option.name, option.label.empty() ? option.name : option.label, option.kind, option.get(r), {}});
  }
  if (!tuning.empty() && !tuning_has_option) add({.name = tuning, .label = tuning});
  for (const auto& [name, text] : asked_of_data(study)) add({name, name, OptionKind::text, text, {}});
  return settings;
}

}  // namespace gnomon
