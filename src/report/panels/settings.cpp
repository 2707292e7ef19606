#include <cmath>

#include "../words.hpp"
#include "gnomon/core/text.hpp"
#include "gnomon/report/panel.hpp"
#include "gnomon/select/candidates.hpp"

namespace gnomon {
namespace {

std::string path_in_words(const TargetSelection& t) {
  if (t.tuned) return std::to_string(t.tuned->parameters.size()) + " parameters, see above";
  const auto places = path_at(t, t.chosen_width, t.chosen_tuning);
  if (places.empty()) return "";
  const auto lambda = [&](Index k) { return pretty(t.lambda[static_cast<std::size_t>(k)], 3); };
  if (places.size() == 1) return lambda(places[0]);
  return lambda(places.front()) + " to " + lambda(places.back()) + ", " + std::to_string(places.size()) +
         " values";
}

std::string feature_list(const std::vector<std::string>& names) {
  constexpr std::size_t most = 30;
  if (names.size() <= most) return join(names);
  return join({names.begin(), names.begin() + most}) + " and " + std::to_string(names.size() - most) +
         " more";
}

}  // namespace

std::vector<Block> settings_panel(const Study& study, Index target) {
  const SelectionRequest& r = study.selection.request;
  const TargetSelection& t = target_of(study, target);
  TableBlock table{{"setting", "asked for", "used"}, {}};
  const auto add = [&](std::string name, std::string asked, std::string used) {
    table.rows.push_back(
        {{text_cell(std::move(name)), text_cell(std::move(asked)), text_cell(std::move(used))}});
  };
  std::vector<std::string> criteria;
  for (const CriterionOutcome& c : t.criteria) criteria.push_back(c.label);

  const LearnerEntry& learner = *r.learner;
  const bool linear = learner.linear();
  add("learner", r.learner.name(),
      linear && !t.tuned ? std::string(study.selection.filter.name) + " filter" : r.learner.name());
  if (learner.inputs == Inputs::network) {
    add("hidden units", r.hidden.text(), representation_in_words(study, t));
    add("decays", "per " + std::string(r.decay_groups.name()), "per " + std::string(r.decay_groups.name()));
    add("restarts of training", std::to_string(r.restarts), std::to_string(r.restarts));
  } else if (is_kernel(study)) {
    add("kernel", r.kernel.name(), representation_in_words(study, t));
    const bool scaled = std::isfinite(t.chosen_width) && study.scale != Scale::none;
    if (!t.tuned)
      add("width", r.width.text(),
          pretty(t.chosen_width, 6) + (scaled ? " in units of the scaled inputs" : ""));
    if (learner.takes("penalty"))
      add("penalty", std::string(r.penalty.name()), std::string(r.penalty.name()));
  } else {
    add("basis", basis_of(r), basis_of(r));
  }
  if (learner.takes("shift")) add("shift", r.shift.name(), r.shift.name());
  if (!t.tuning_name.empty()) add(t.tuning_name, tuning_text(r), pretty(t.chosen_tuning, 6));
  if (!r.groups.empty()) add("groups", r.groups.text(), r.groups.text());
  add("λ", r.lambda.text(), path_in_words(t));
  add("criteria", join(r.criteria), join(criteria));
  add("noise variance", r.noise.text(), t.noise.method);
  add("metric", r.metric ? study.selection.metric.description : "auto", study.selection.metric.description);
  add("intercept", r.intercept ? "yes" : "no", r.intercept ? "yes" : "no");
  add("scale", std::string(name_of(study.scale)), std::string(name_of(study.scale)));
  const Search used =
      t.tuned  ? (t.tuned->searched ? (r.search == Search::mackay ? Search::mackay : Search::gradient)
                                    : Search::grid)
      : linear ? Search(r.search)
               : Search::grid;
  const bool implied = t.tuned && r.search == Search::refine;
  add("search", implied ? "auto" : std::string(r.search.name()), std::string(name_of(used)));
  add("rule", r.rule == Rule::minimum ? "min" : "1se",
      r.rule == Rule::minimum ? "least value" : "one standard error");
  if (linear && !t.tuned) add("strategy", std::string(r.strategy.name()), t.strategy);
  add("repeats of cross-validation", std::to_string(r.repeats), std::to_string(r.repeats));
  if (!linear && !t.tuned) {
    add("bootstrap replications", std::to_string(r.bootstrap.replications),
        std::to_string(r.bootstrap.replications));
    for (const CriterionOutcome& c : t.criteria) {
      if (!c.curve.covariance.empty()) add("covariance term of " + c.label, "best", c.curve.covariance);
    }
  }
  add("seed", std::to_string(r.seed), std::to_string(r.seed));
  add("features", std::to_string(study.x.cols()), feature_list(study.feature_names));

  std::vector<Block> blocks;
  if (!study.command.empty()) blocks.emplace_back(Paragraph{"Made by: " + study.command});
  blocks.emplace_back(std::move(table));
  if (!study.notes.empty()) blocks.emplace_back(Heading{"What was done to the data"});
  for (const std::string& note : study.notes) blocks.emplace_back(Notice{Notice::Level::info, note});
  return blocks;
}

}  // namespace gnomon
