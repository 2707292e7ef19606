#include "words.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "select/candidates.hpp"

namespace gnomon {
namespace {

struct QuantityWords {
  std::string_view title, axis;
};

constexpr std::array quantity_words{
    QuantityWords{"Squared error on new data, noise included", "squared error"},
    QuantityWords{"Squared error of the fitted function, noise excluded", "squared error, noise excluded"},
    QuantityWords{"Squared error of the fitted function, less a constant", "squared error − constant"},
    QuantityWords{"Squared error in the function space, less a constant",
                  "squared norm of the error − constant"},
    QuantityWords{"Minus twice a log likelihood, marginal or blended (not an error)", "−2 log evidence"},
    QuantityWords{"Information criteria, −2 log-likelihood scale (not an error)",
                  "−2 log-likelihood + penalty"},
    QuantityWords{"Cross-entropy on new data", "cross-entropy"},
    QuantityWords{"Squared error on new data over the variance of each target, mean over targets",
                  "relative squared error"},
    QuantityWords{"Huber's loss on new data", "Huber's loss"}};

const QuantityWords& words_of(Quantity q) { return quantity_words[static_cast<std::size_t>(q)]; }

/// The second half of the head line: the error of the fit, and how sure it is.
std::string expectation(const ChosenError& error) {
  if (!std::isfinite(error.value))
    return "its error on new data could not be estimated: every draw of the rows leaves it undefined.";
  const std::string range = interval_in_words(error);
  if (!error.squared)
    return fmt::format(
        "the expected cross-entropy on new data is {}, and {} of new rows go to another class.", range,
        fmt::format("{:.0f} %", 100 * error.error_rate));
  return fmt::format("the expected squared error on new data is {}, RMSE {}.", range,
                     pretty(error.rmse(), 3));
}

/// The same without it: what the criterion at the chosen point tells.
std::string expectation(const CriterionOutcome& c) {
  const std::string value = with_error(c.selected->value, c.selected->standard_error);
  switch (quantity_of(c)) {
    case Quantity::prediction_error:
      return fmt::format("the expected squared error on new {} is about {}.",
                         c.criterion.target.where == Target::Where::at_training_inputs
                             ? "observations at the training inputs"
                             : "data",
                         value);
    case Quantity::function_error:
      return fmt::format("the squared error of the fitted function, noise excluded, is about {}.", value);
    case Quantity::function_error_shifted:
    case Quantity::function_space_error:
      if (c.curve.constant) {
        return fmt::format("the squared error of the fitted function in the function space is about {}.",
                           with_error(c.selected->value + *c.curve.constant, c.selected->standard_error));
      }
      return fmt::format(
          "its value there, {}, is a squared error less an unknown constant: it ranks the candidates, and "
          "says "
          "nothing about how large the error is.",
          value);
    case Quantity::log_evidence:
      return fmt::format("the criterion is {} there: {}.", value, c.criterion.estimates);
    case Quantity::cross_entropy:
      return fmt::format("the expected cross-entropy on new data is about {}.", value);
    case Quantity::relative:
      return fmt::format(
          "the expected squared error on new data over the variance of each target, averaged over targets, "
          "is about {}.",
          value);
    case Quantity::huber_loss:
      return fmt::format(
          "the expected Huber loss on new data (squared up to tau, linear beyond) is about {}.", value);
    case Quantity::log_likelihood:
      break;
  }
  return fmt::format("the criterion is {} there, which is not a prediction error.", value);
}

}  // namespace

std::string interval_in_words(const ChosenError& error) {
  const double value = error.value, low = error.low, high = error.high, width = high - low;
  if (!(width > 0) || high >= 1e6 || second_digit(width) < -6) {
    // Digits that tell the ends apart; one more for the value.
    const int digits =
        width > 0 ? std::clamp(2 + static_cast<int>(std::floor(std::log10(high / width))), 2, 5) : 4;
    return fmt::format("{} ({} to {})", pretty(value, digits + 1), pretty(low, digits), pretty(high, digits));
  }
  // One place for all, the second digit of the width; where the upper end is so far off that this would leave no digit of
  // the lower end, or only one of the value, two digits of each.
  const int place = second_digit(width);
  const bool far = (value > 0 && second_digit(value) < place) || (low > 0 && second_digit(low) + 1 < place);
  const auto shown = [&](double v) { return rounded(v, far && v > 0 ? second_digit(v) : place); };
  return fmt::format("{} ({} to {})", shown(value), shown(low), shown(high));
}

std::string told_apart_in_words(const ChosenError& error) {
  std::vector<std::string> same;
  for (const ErrorDifference& d : error.differences)
    if (!d.is_told_apart()) same.push_back(d.criterion);
  return join(same);
}

Quantity quantity_of(const CriterionOutcome& c) {
  switch (c.kind) {
    case ErrorKind::function_space:
      return Quantity::function_space_error;
    case ErrorKind::log_evidence:
      return Quantity::log_evidence;
    case ErrorKind::log_likelihood:
      return Quantity::log_likelihood;
    case ErrorKind::cross_entropy:
      return Quantity::cross_entropy;
    case ErrorKind::relative:
      return Quantity::relative;
    case ErrorKind::huber_loss:
      return Quantity::huber_loss;
    case ErrorKind::prediction:
      break;
  }
  const Target& target = c.criterion.target;
  if (target.less_a_constant) return Quantity::function_error_shifted;
  return target.noise == Target::Noise::excluded ? Quantity::function_error : Quantity::prediction_error;
}

std::string_view title_of(Quantity q) { return words_of(q).title; }
std::string_view axis_label_of(Quantity q) { return words_of(q).axis; }
bool has_zero(Quantity q) {
  switch (q) {
    case Quantity::function_error_shifted:
    case Quantity::function_space_error:
    case Quantity::log_evidence:
    case Quantity::log_likelihood:
      return false;
    default:
      return true;
  }
}

std::string criterion_in_words(const CriterionOutcome& c) {
  if (c.folds > 0) return fmt::format("{}-fold {}", c.folds, c.criterion.words);
  return std::string(c.criterion.words);
}

std::string estimates_in_words(const Study& study, const CriterionOutcome& c) {
  // Targets are standardised for a network, and equivalent minima (units exchanged, signs turned) are not counted.
  if (c.kind == ErrorKind::log_evidence && study.selection.request.learner->inputs == Inputs::network)
    return std::string(c.criterion.estimates) +
           ", about one minimum: to be compared between decays of one network on the same rows, not with "
           "other "
           "sizes or learners";
  if (c.kind == ErrorKind::relative)
    return "squared error on new data over the variance of each target, mean over targets";
  return c.kind == ErrorKind::cross_entropy ? "mean of −log p(true class) on new data"
                                            : std::string(c.criterion.estimates);
}

double test_error_se(const Study& study, std::size_t target) {
  return target < study.test_error_se.size() ? study.test_error_se[target].value_or(undefined) : undefined;
}

std::string parameter_in_words(const TunedSearch& tuned, Index parameter) {
  const auto at = static_cast<std::size_t>(parameter);
  const bool width = tuned.parameters[at].kind == Parameter::Kind::width;
  switch (tuned.verdicts[at]) {
    case Verdict::dropped:
      return "∞ (dropped)";
    case Verdict::unregularized:
      return width ? pretty(tuned.chosen[parameter]) + " (lower bound)" : "0 (not regularized)";
    case Verdict::interior:
      break;
  }
  return pretty(tuned.chosen[parameter]);
}

std::optional<Index> only_decay(const TunedSearch& tuned) {
  std::optional<Index> place;
  for (std::size_t i = 0; i < tuned.parameters.size(); ++i) {
    if (tuned.parameters[i].kind != Parameter::Kind::decay) continue;
    if (place) return std::nullopt;
    place = static_cast<Index>(i);
  }
  return place;
}

std::string dropped_in_words(const TunedSearch& tuned) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < tuned.parameters.size(); ++i) {
    if (tuned.verdicts[i] == Verdict::dropped) names.push_back(tuned.parameters[i].label());
  }
  return join(names);
}

Index row_count(const Study& study) { return study.x.size() > 0 ? study.x.rows() : study.y.rows(); }

Index feature_count(const Study& study) {
  return study.x.size() > 0 ? study.x.cols() : static_cast<Index>(study.feature_names.size());
}

Scaling scaling_of(const Study& study) {
  return study.scaling ? *study.scaling : Scaling::fit(study.x, study.weight, study.scale);
}

std::optional<LinearEquation> equation_of(const Study& study, Index target) {
  const bool named = static_cast<Index>(study.feature_names.size()) == feature_count(study);
  if (!named || !study.classes.empty() || study.selection.model.size() == 0) return std::nullopt;
  return linear_equation(study.selection.model, scaling_of(study), target);
}

const TargetSelection& target_of(const Study& study, Index target) {
  return study.selection.targets.at(static_cast<std::size_t>(target));
}

namespace {

/// "λ = 0.1 and width = 2": the chosen point of a path.
std::string chosen_in_words(const SelectionPath& path) {
  const PathAxis axis = path_axis(path);
  if (axis.is_lambda()) return fmt::format("λ = {}{}", pretty(path.chosen().lambda), beside_lambda(path));
  const std::string what = path.representation.empty() ? ""
                                                       : fmt::format("the {} {}", path.representation_name,
                                                                     path.chosen().representation);
  if (axis.along == PathAxis::Along::representation) return what;
  return fmt::format("{} = {}{}{}", path.tuning_name, pretty(path.chosen().tuning),
                     what.empty() ? "" : " and ", what);
}

std::string chosen_in_words(const TunedSearch& tuned) {
  if (tuned.parameters.size() > 1)
    return fmt::format("{} regularization parameters together", tuned.parameters.size());
  return "λ = " + pretty(tuned.chosen[0]);
}

}  // namespace

std::string averaged_in_words(const SelectionPath& path) {
  const Combined& combined = path.combined;
  if (combined.empty()) return "";
  const std::string fits = counted(fit_count(combined), "fit");
  const auto kinds = static_cast<Index>(combined.size());
  if (kinds == 1) return fits;
  const bool widths = std::all_of(combined.begin(), combined.end(), [&](const CombinedFits& c) {
    return std::isfinite(c.width) && c.representation == combined.front().representation;
  });
  return fmt::format("{} of {}", fits,
                     widths ? counted(kinds, "width") : fmt::format("{} candidates", kinds));
}

std::string head_line(const Study& study, Index target) {
  const TargetSelection& t = target_of(study, target);
  const CriterionOutcome& c = t.chosen();
  const std::string lead = study.selection.targets.size() > 1 ? t.target + ": gnomon" : "gnomon";
  if (!c.selected) return fmt::format("{} chose nothing: {} is undefined.", lead, criterion_in_words(c));
  if (const std::string fits = t.path() ? averaged_in_words(*t.path()) : ""; !fits.empty())
    return fmt::format("{} averaged {} with weights by {}; {}", lead, fits, criterion_in_words(c),
                       t.error ? expectation(*t.error) : expectation(c));
  const std::string what = std::visit([](const auto& found) { return chosen_in_words(found); }, t.found);
  return fmt::format("{} chose {} by {}; {}", lead, what, criterion_in_words(c),
                     t.error ? expectation(*t.error) : expectation(c));
}

bool is_kernel(const Study& study) { return uses_kernel(study.selection.request); }

namespace {

/// "5 inputs, 8 tanh units, 1 output, 57 weights".
std::string network_in_words(const Study& study) {
  const Mlp* network = study.selection.model.network();
  if (!network) return "network";
  std::vector<std::string> layers{fmt::format("{} inputs", network->shape.inputs)};
  for (const Index units : network->shape.hidden) layers.push_back(fmt::format("{} tanh units", units));
  layers.push_back(
      fmt::format("{} output{}", network->shape.outputs, network->shape.outputs == 1 ? "" : "s"));
  return fmt::format("network: {}; {} weights", join(layers), network->w.size());
}

}  // namespace

std::string beside_lambda(const SelectionPath& path) {
  std::string text;
  if (!path.width.empty()) text += fmt::format(" and width = {}", pretty(path.chosen().width));
  if (!path.tuning.empty())
    text += fmt::format(" and {} = {}", path.tuning_name, pretty(path.chosen().tuning));
  if (!path.representation.empty())
    text += fmt::format(" and the {} {}", path.representation_name, path.chosen().representation);
  return text;
}

std::string representation_name(const Study& study, const TargetSelection& t) {
  if (const Basis* basis = study.selection.model.basis(); basis && !study.selection.request.subsets.empty())
    return basis->spec();
  if (t.path() && !t.path()->representation.empty()) return t.path()->chosen().representation;
  const SelectionRequest& request = study.selection.request;
  return is_kernel(study) ? request.kernel.name() : basis_of(request);
}

std::string representation_in_words(const Study& study, const TargetSelection& t) {
  if (study.selection.request.learner->inputs == Inputs::network) return network_in_words(study);
  const std::string name = representation_name(study, t);
  if (!is_kernel(study)) return name + " basis";
  const double width = t.path() ? t.path()->chosen().width : undefined;
  if (!std::isfinite(width)) return name + " kernel";
  if (t.path()->combined.size() > 1) return fmt::format("{} kernel, {}", name, averaged_in_words(*t.path()));
  return fmt::format("{} kernel of width {}", name, pretty(width));
}

namespace {
bool same_width(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
}  // namespace

bool same_candidate(const SelectionPath& path, const PathOutcome& a, const PathOutcome& b) {
  return (path.width.empty() || same_width(a.width, b.width)) &&
         (path.tuning.empty() || a.tuning == b.tuning) && a.representation == b.representation;
}

bool is_of_candidate(const SelectionPath& path, std::size_t place, const PathOutcome& c) {
  return (path.width.empty() || same_width(path.width[place], c.width)) &&
         (path.tuning.empty() || path.tuning[place] == c.tuning) &&
         (path.representation.empty() || path.representation[place] == c.representation);
}

std::vector<Index> path_at(const SelectionPath& path, const PathOutcome& c) {
  std::vector<Index> places;
  for (std::size_t k = 0; k < path.lambda.size(); ++k) {
    if (is_of_candidate(path, k, c)) places.push_back(static_cast<Index>(k));
  }
  return places;
}

PathAxis path_axis(const SelectionPath& path) {
  using Along = PathAxis::Along;
  const bool one_lambda = std::all_of(path.lambda.begin(), path.lambda.end(),
                                      [&](double lambda) { return lambda == path.lambda.front(); });
  if (!one_lambda || !path.width.empty()) return {"λ", true, Along::lambda};
  if (!path.tuning.empty()) return {path.tuning_name, path.tuning_on_log_axis, Along::tuning};
  if (!path.representation.empty()) return {path.representation_name, false, Along::representation};
  return {"λ", true, Along::lambda};
}

double df_of(const Study& study, Index target, const PathOutcome& c) {
  if (!c.selected) return undefined;
  const TargetSelection& t = target_of(study, target);
  const SelectionPath& path = *t.path();
  const PathOutcome& chosen = path.chosen();
  const bool same = same_candidate(path, c, chosen);
  if (same && c.lambda == chosen.lambda && path.combined.empty()) return t.chosen_df;
  if (same && path.spectrum.values.size() > 0 && target < path.spectrum.squared.cols()) {
    return spectral_sums(path.spectrum, study.selection.filter, {&c.lambda, 1}, target)[0].df;
  }
  // Another candidate: its spectrum is gone, but its path is there. Linear in log λ between neighbours.
  const std::vector<Index> places = path_at(path, c);
  for (const Index place : places) {
    if (path.lambda[static_cast<std::size_t>(place)] == c.lambda) return path.df[place];
  }
  for (std::size_t k = 0; k + 1 < places.size(); ++k) {
    const double lower = path.lambda[static_cast<std::size_t>(places[k])];
    const double upper = path.lambda[static_cast<std::size_t>(places[k + 1])];
    if (!(lower > 0) || c.lambda < lower || c.lambda > upper) continue;
    const double share = upper > lower ? std::log(c.lambda / lower) / std::log(upper / lower) : 0;
    return (1 - share) * path.df[places[k]] + share * path.df[places[k + 1]];
  }
  return places.size() == 1 ? path.df[places[0]] : undefined;
}

}  // namespace gnomon
