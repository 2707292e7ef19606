#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/data/weights.hpp"
#include "report/panel.hpp"
#include "report/shift_words.hpp"
#include "report/words.hpp"

namespace gnomon {
namespace {

std::string data_in_words(const Study& study) {
  const Index features = feature_count(study);
  std::string text =
      fmt::format("{} rows, {} feature{}", row_count(study), features, features == 1 ? "" : "s");
  if (study.weight.size() > 0) text += fmt::format(", weights sum to {}", pretty(study.weight.sum(), 6));
  if (study.test_rows > 0) text += fmt::format(", {} test rows", study.test_rows);
  return text;
}

Fact noise_fact(const TargetSelection& t) {
  Fact fact{"noise variance", "", fmt::format("{}: {}", t.noise.method, t.noise.reason), true};
  if (!t.noise.value.array().isFinite().any()) {
    fact.value = "not determined";
    if (t.noise.method == "auto") fact.note = t.noise.reason;
  } else if (t.noise.per_lambda()) {
    fact.value = fmt::format("{} to {}", pretty(t.noise.value.minCoeff<Eigen::PropagateNumbers>(), 3),
                             pretty(t.noise.value.maxCoeff<Eigen::PropagateNumbers>(), 3));
  } else {
    fact.value = pretty(t.noise.value[0]);
  }
  return fact;
}

/// What the fit rests on, and how far it may be from its optimum.
std::string certificate_in_words(const PathFit& fit, Index rows, const LearnerEntry& learner) {
  std::string rests;
  if (learner.active && (learner.active->rows || !fit.active.empty()))
    rests = fmt::format("{} of {} {}, ", fit.active.size(),
                        learner.active->rows ? rows : fit.coefficients.size(), learner.active->words);
  return fmt::format("{}{} to within {}", rests, fit.converged ? "optimal" : "stopped, optimal",
                     pretty(fit.gap, 2));
}

Fact estimate_fact(const Study& study, const CriterionOutcome& c) {
  const Quantity quantity = quantity_of(c);
  const bool is_error = quantity == Quantity::prediction_error || quantity == Quantity::function_error ||
                        quantity == Quantity::cross_entropy;
  return {is_error ? "estimated error" : "criterion value",
          c.selected ? with_error(c.selected->value, c.selected->standard_error) : pretty(undefined),
          fmt::format("{}: {}", c.label, estimates_in_words(study, c)), true};
}

/// The error of the delivered fit, in the units of the target too.
void add_error(const ChosenError& error, Facts& facts) {
  facts.facts.push_back({"error on new data",
                         std::isfinite(error.value) ? interval_in_words(error) : pretty(undefined),
                         fmt::format("{}, {:.0f} % interval; {}", error.squared ? "squared" : "cross-entropy",
                                     100 * error.level, error.method),
                         true});
  if (error.squared) {
    facts.facts.push_back({"RMSE", pretty(error.rmse(), 3),
                           fmt::format("R² {}; the constant has squared error {}",
                                       pretty(error.r_squared(), 3), pretty(error.baseline)),
                           true});
  } else {
    facts.facts.push_back({"error rate", fmt::format("{:.1f} %", 100 * error.error_rate),
                           fmt::format("the classes' shares have cross-entropy {}", pretty(error.baseline)),
                           true});
  }
  if (const std::string same = told_apart_in_words(error); !same.empty())
    facts.facts.push_back(
        {"not told apart", same, "their choices' errors differ by less than one standard error"});
}

/// Whether training and test inputs differ, and how many rows the weights leave.
void add_shift(const Study& study, const TargetSelection& t, Facts& facts) {
  const ShiftStudy& shift = *study.shift;
  if (const auto [verdict, reason] = verdict_in_words(shift); !verdict.empty())
    facts.facts.push_back({"covariate shift", verdict, reason, true});
  const double exponent = flattening_of(study, t);
  std::string note = fmt::format("of {} rows, weights by {}", shift.weight.size(),
                                 shift.verdict ? shift.method : ratio_in_words(shift));
  if (exponent != 1)
    note += fmt::format("; {} at flattening {}",
                        row_count_in_words(effective_sample_size(flattened(shift.weight, exponent))),
                        pretty(exponent));
  facts.facts.push_back(
      {"effective sample size", row_count_in_words(effective_sample_size(shift.weight)), note});
}

/// What was chosen along a path.
void add_chosen(const SelectionPath& path, Facts& facts) {
  const PathOutcome& c = path.chosen();
  const bool by_lambda = path_axis(path).is_lambda();
  const bool at_edge = c.selected && c.selected->at_edge;
  if (const std::string fits = averaged_in_words(path); !fits.empty())
    facts.facts.push_back({"average", fits,
                           fmt::format("weights exp(−blend/4), worth {} equal ones; {} of the best fit alone",
                                       pretty(effective_fit_count(path.combined), 2),
                                       std::isfinite(c.width) ? "below, λ and width" : "λ below is that"),
                           true});
  facts.facts.push_back(
      {"λ", pretty(c.lambda),
       at_edge ? fmt::format("at the {} end of the grid", c.grid_index == 0 ? "lower" : "upper") : "",
       by_lambda});
  if (!path.representation.empty())
    facts.facts.push_back(
        {path.representation_name, c.representation, by_lambda ? "chosen together with λ" : "chosen", true});
  if (!path.width.empty()) facts.facts.push_back({"width", pretty(c.width), "chosen together with λ", true});
  if (!path.tuning_name.empty())
    facts.facts.push_back({path.tuning_name, pretty(c.tuning),
                           path.tuning.empty() || !by_lambda ? "" : "chosen together with λ", true});
}

/// A few parameters one by one; of many only what became of them.
void add_chosen(const TunedSearch& tuned, Facts& facts) {
  constexpr std::size_t few = 4;
  const bool short_names = std::all_of(tuned.parameters.begin(), tuned.parameters.end(),
                                       [](const auto& p) { return p.name.size() <= 20; });
  if (tuned.parameters.size() <= few && short_names) {
    for (std::size_t i = 0; i < tuned.parameters.size(); ++i)
      facts.facts.push_back(
          {tuned.parameters[i].name, parameter_in_words(tuned, static_cast<Index>(i)), "", true});
    return;
  }
  const std::string dropped = dropped_in_words(tuned);
  facts.facts.push_back({"parameters", std::to_string(tuned.parameters.size()),
                         dropped.empty() ? "all inputs are kept" : "dropped: " + dropped, true});
}

/// How the fit was obtained.
void add_means(const Study& study, const TargetSelection& t, const SelectionPath& path, Facts& facts) {
  if (path.solution) {
    facts.facts.push_back(
        {"solver", t.strategy,
         certificate_in_words(*path.solution, t.fitted.size(), *study.selection.request.learner)});
    return;
  }
  facts.facts.push_back({"strategy", t.strategy,
                         path.gram_error_bound > 0
                             ? fmt::format("error of the Gram at most {}", pretty(path.gram_error_bound, 2))
                             : ""});
}
void add_means(const Study&, const TargetSelection&, const TunedSearch& tuned, Facts& facts) {
  facts.facts.push_back({"search", tuned.criteria.front().search.status});
  if (!tuned.training.empty()) facts.facts.push_back({"training", tuned.training});
}

}  // namespace

std::vector<Block> summary_panel(const Study& study, Index target) {
  const TargetSelection& t = target_of(study, target);
  const SelectionRequest& request = study.selection.request;
  const CriterionOutcome& c = t.chosen();
  Facts facts;
  const auto add = [&](Fact fact) { facts.facts.push_back(std::move(fact)); };

  std::visit([&](const auto& found) { add_chosen(found, facts); }, t.found);
  if (const auto& tried = study.selection.widths)
    facts.facts.push_back(
        {"width", pretty(tried->chosen),
         fmt::format("chosen before λ; the median distance between rows is {}", pretty(tried->median)),
         true});
  if (t.error)
    add_error(*t.error, facts);
  else
    add(estimate_fact(study, c));
  if (!c.curve.covariance.empty()) add({"covariance term", c.curve.covariance});
  add({"degrees of freedom", pretty(t.chosen_df),
       fmt::format("of {}",
                   pretty(study.weight.size() > 0 ? study.weight.sum() : double(row_count(study)), 6)),
       true});
  if (t.noise.wanted) add(noise_fact(t));
  add({"training error", pretty(t.chosen_train_error)});
  const auto place = static_cast<std::size_t>(target);
  if (place < study.test_error.size() && study.test_error[place]) {
    add({"test error", with_error(*study.test_error[place], test_error_se(study, place)),
         study.classes.empty() ? "mean squared error on the labelled test rows"
                               : "mean cross-entropy on the labelled test rows",
         true});
  }
  if (study.shift) add_shift(study, t, facts);
  add({"criterion", c.label,
       study.selection.default_reason.empty() ? criterion_in_words(c)
                                              : "the default: " + study.selection.default_reason});
  add({"data", study.source.empty() ? data_in_words(study) : study.source + ": " + data_in_words(study)});
  add({"target", t.target});
  std::string learner = request.learner.name() + ", " + representation_in_words(study, t);
  if (request.learner->takes("penalty"))
    learner += fmt::format(", penalty on the {}", request.penalty.name());
  add({"learner", learner});
  std::visit([&](const auto& found) { add_means(study, t, found, facts); }, t.found);
  return {facts};
}

}  // namespace gnomon
