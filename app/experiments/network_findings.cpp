#include "network_findings.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::app {
namespace {

constexpr std::array published{NetworkMethod::none,  NetworkMethod::gen_gauss_newton, NetworkMethod::gen_eq14,
                               NetworkMethod::fper,  NetworkMethod::five_fold,        NetworkMethod::evidence,
                               NetworkMethod::mackay};

/// a is above b by no more than two standard errors of their paired difference.
bool not_above(const NetworkFindings& f, NetworkMethod a, NetworkMethod b) {
  const Summary d = f.difference(a, b);
  return d.mean <= 2 * d.standard_error();
}

/// Of the entries of a condition.
template <class Condition>
double share_of(const Condition& condition) {
  return static_cast<double>(condition.count()) / static_cast<double>(condition.size());
}

}  // namespace

const std::vector<NetworkTask>& network_tasks() {
  static const std::vector<NetworkTask> all{
      {"regression",
       "regression",
       30,
       "40 rows, 25 weights",
       "Regression: y = sin(πx₁) + x₂² + 0.3ε, x uniform on [−1, 1]², 40 rows, 6 hidden units, 2000 test "
       "rows with noise.",
       {{NetworkMethod::none, ".71", ".19"},
        {NetworkMethod::gen_gauss_newton, ".39", ".07"},
        {NetworkMethod::gen_eq14, ".19", ".02"},
        {NetworkMethod::fper, ".20", ".03"},
        {NetworkMethod::five_fold, ".144", ".007"},
        {NetworkMethod::evidence, ".163", ".013"},
        {NetworkMethod::mackay, ".136", ".006"},
        {NetworkMethod::grid, ".117", ""}}},
      {"mackey-glass",
       "Mackey–Glass",
       20,
       "80 rows, 31 weights",
       "Mackey–Glass (delay 17): six steps ahead from lags 0, 6, 12, 18 of the series with noise of 0.2 of "
       "its standard deviation, 80 random windows of the first half, 5 hidden units, 2000 test windows of "
       "the second half; columns standardised by the training rows.",
       {{NetworkMethod::none, ".231", ".010"},
        {NetworkMethod::gen_gauss_newton, ".228", ".016"},
        {NetworkMethod::gen_eq14, ".162", ".018"},
        {NetworkMethod::fper, ".183", ".018"},
        {NetworkMethod::five_fold, ".124", ".006"},
        {NetworkMethod::evidence, ".125", ".007"},
        {NetworkMethod::mackay, ".141", ".011"},
        {NetworkMethod::grid, ".096", ""}}},
      {"sunspots",
       "sunspots",
       5,
       "209 rows, 57 weights",
       "Sunspots: a year from the twelve before it, 1712–1920 for training, 1921–1979 for the test, 4 hidden "
       "units, columns standardised by the training rows. There is one split: trials differ in starting "
       "weights and folds only, and the s.e. is that of these.",
       {{NetworkMethod::none, ".51", ""},
        {NetworkMethod::gen_gauss_newton, ".80", ""},
        {NetworkMethod::gen_eq14, ".52", ""},
        {NetworkMethod::five_fold, ".41", ""},
        {NetworkMethod::evidence, ".43", ""},
        {NetworkMethod::mackay, ".64", ""},
        {NetworkMethod::grid, ".29", ""}}}};
  return all;
}

Vector NetworkFindings::of(NetworkMethod method, ChoiceQuantity quantity) const {
  const auto at = std::find_if(choice_quantities.begin(), choice_quantities.end(),
                               [&](const NamedQuantity& q) { return q.quantity == quantity; });
  return trials_.col(static_cast<Index>(method) * static_cast<Index>(choice_quantities.size()) +
                     (at - choice_quantities.begin()));
}

double NetworkFindings::beats_none(NetworkMethod method) const {
  return share_of(error(method).array() < error(NetworkMethod::none).array());
}

double NetworkFindings::at_lower(NetworkMethod method, ChoiceQuantity kappa) const {
  return share_of(of(method, kappa).array() <= smallest_kappa * (1 + 1e-9));
}

double NetworkFindings::at_upper(NetworkMethod method, ChoiceQuantity kappa) const {
  return share_of(of(method, kappa).array() >= largest_kappa * (1 - 1e-9));
}

const ExpectedError* NetworkFindings::expected(NetworkMethod method) const {
  for (const ExpectedError& one : task_->expected) {
    if (one.method == method) return &one;
  }
  return nullptr;
}

double NetworkFindings::z(NetworkMethod method) const {
  const ExpectedError* other = expected(method);
  if (!other || other->error.empty()) return undefined;
  return (mean(method) - Printed{other->mean}.value()) /
         std::hypot(standard_error(method), Printed{other->error}.value());
}

std::vector<Finding> rows_beside(const std::vector<NetworkFindings>& all) {
  std::vector<Finding> rows;
  for (const NetworkFindings& f : all) {
    const bool one_split = &f.task() == &network_tasks()[sunspot_task];
    for (const ExpectedError& other : f.task().expected) {
      const Summary own = summary_of(f.error(other.method));
      // Where its error was not given: that of as many trials with the spread of ours.
      const double error = other.error.empty()
                               ? own.deviation / std::sqrt(static_cast<double>(f.task().expected_trials))
                               : Printed{other.error}.value();
      Finding row{.name = fmt::format("mean test error, {}, {}", f.task().title, title_of(other.method)),
                  .ours = own.mean,
                  .standard_error = own.standard_error(),
                  .expected = Printed{other.mean}.value(),
                  .expected_error = error,
                  .source = "reference implementation",
                  .comparable = !one_split};
      if (one_split) row.reason = "one split: trials differ in starting weights and folds only";
      if (row.verdict() == Verdict::differs)
        row.reason = "the reference's data are known by their sizes only; ours are a reading of them";
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::string means_in_words(const NetworkFindings& f, const std::vector<NetworkMethod>& methods) {
  std::vector<std::string> parts;
  for (const NetworkMethod m : methods) parts.push_back(fmt::format("{} {:.3f}", title_of(m), f.mean(m)));
  return join(parts);
}

std::vector<OrderCheck> order_checks(const NetworkFindings& f) {
  const auto below = [&](NetworkMethod a, NetworkMethod b) { return f.mean(a) < f.mean(b); };
  const auto all_below = [&](const auto& methods, NetworkMethod b) {
    return std::all_of(methods.begin(), methods.end(), [&](NetworkMethod a) { return below(a, b); });
  };
  const bool series = &f.task() == &network_tasks()[sunspot_task];
  std::vector<OrderCheck> checks;
  const auto add = [&](std::string text, bool holds) { checks.push_back({std::move(text), holds}); };
  if (series) {
    const std::array good{NetworkMethod::five_fold, NetworkMethod::evidence};
    add(fmt::format(
            "5-fold and evidence are below none ({})",
            means_in_words(f, {NetworkMethod::five_fold, NetworkMethod::evidence, NetworkMethod::none})),
        all_below(good, NetworkMethod::none));
    add(fmt::format("GEN is above 5-fold and evidence ({})",
                    means_in_words(f, {NetworkMethod::gen_gauss_newton})),
        all_below(good, NetworkMethod::gen_gauss_newton));
    add(fmt::format("MacKay is above none ({})",
                    means_in_words(f, {NetworkMethod::mackay, NetworkMethod::none})),
        below(NetworkMethod::none, NetworkMethod::mackay));
    const double share = f.at_lower(NetworkMethod::mackay, &NetworkChoice::kappa_output);
    add(fmt::format("MacKay's κ of the output layer is at its lower bound in every training ({:.0f} %)",
                    100 * share),
        share == 1);
  } else {
    const NetworkMethod worst = *std::max_element(published.begin(), published.end(), below);
    add(fmt::format("none is the worst, or no more than two standard errors below the worst ({})",
                    worst == NetworkMethod::none ? means_in_words(f, {worst})
                                                 : means_in_words(f, {worst, NetworkMethod::none})),
        not_above(f, worst, NetworkMethod::none));
    add(fmt::format("GEN is in between: not above none by more than two standard errors, above 5-fold, "
                    "evidence and MacKay ({})",
                    means_in_words(f, {NetworkMethod::gen_gauss_newton})),
        not_above(f, NetworkMethod::gen_gauss_newton, NetworkMethod::none) &&
            all_below(good_methods, NetworkMethod::gen_gauss_newton));
    bool lowest = true;
    for (const NetworkMethod other :
         {NetworkMethod::none, NetworkMethod::gen_gauss_newton, NetworkMethod::gen_eq14, NetworkMethod::fper})
      lowest = lowest && all_below(good_methods, other);
    add(fmt::format("5-fold, evidence and MacKay are the three best ({}; GEN14 and FPER {:.3f} and {:.3f})",
                    means_in_words(f, {good_methods.begin(), good_methods.end()}),
                    f.mean(NetworkMethod::gen_eq14), f.mean(NetworkMethod::fper)),
        lowest);
  }
  bool least = true;
  for (const NetworkMethod m : published) least = least && below(NetworkMethod::grid, m);
  add(fmt::format("best on grid is the lowest ({})", means_in_words(f, {NetworkMethod::grid})), least);
  return checks;
}

}  // namespace gnomon::app
