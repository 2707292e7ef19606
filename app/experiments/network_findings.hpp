#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "network_trial.hpp"
#include "statistics.hpp"

namespace gnomon::app {

/// Mean test error of a method in an independent implementation, as printed; an empty error was not given.
struct ExpectedError {
  NetworkMethod method;
  std::string_view mean, error;
};

/// One of the problems, with what is known about it.
struct NetworkTask {
  const char *name, *title;
  Index expected_trials;  ///< behind the expected values
  const char* size;
  const char* reading;  ///< how the data are made, in words
  std::vector<ExpectedError> expected;
};

/// Regression, Mackey–Glass, sunspots.
const std::vector<NetworkTask>& network_tasks();
inline constexpr std::size_t regression_task = 0, mackey_glass_task = 1, sunspot_task = 2;

/// One number of a choice, by its member.
using ChoiceQuantity = double NetworkChoice::*;
struct NamedQuantity {
  const char* name;
  ChoiceQuantity quantity;
};
/// What is kept of a choice, in the order of a trial's row.
inline constexpr std::array choice_quantities{NamedQuantity{"test_error", &NetworkChoice::test_error},
                                              NamedQuantity{"training_error", &NetworkChoice::training_error},
                                              NamedQuantity{"kappa_input", &NetworkChoice::kappa_input},
                                              NamedQuantity{"kappa_output", &NetworkChoice::kappa_output},
                                              NamedQuantity{"evaluations", &NetworkChoice::evaluations},
                                              NamedQuantity{"converged", &NetworkChoice::converged}};

/// What one task gave: a row per trial, of every method the quantities above.
class NetworkFindings {
 public:
  NetworkFindings(const NetworkTask& task, Matrix trials) : task_(&task), trials_(std::move(trials)) {}

  const NetworkTask& task() const { return *task_; }
  Index trials() const { return trials_.rows(); }
  Vector of(NetworkMethod method, ChoiceQuantity quantity) const;
  Vector error(NetworkMethod method) const { return of(method, &NetworkChoice::test_error); }
  double mean(NetworkMethod method) const { return error(method).mean(); }
  double standard_error(NetworkMethod method) const { return summary_of(error(method)).standard_error(); }
  /// Of the test error of `a` less that of `b`, on the same samples.
  Summary difference(NetworkMethod a, NetworkMethod b) const { return summary_of(error(a) - error(b)); }
  /// Shares of the trials.
  double beats_none(NetworkMethod method) const;
  double at_lower(NetworkMethod method, ChoiceQuantity kappa) const;
  double at_upper(NetworkMethod method, ChoiceQuantity kappa) const;
  /// Null where there is none.
  const ExpectedError* expected(NetworkMethod method) const;
  /// (ours − expected) over the standard error of the difference; undefined where no standard error was given.
  double z(NetworkMethod method) const;

 private:
  const NetworkTask* task_;
  Matrix trials_;
};

/// Every mean test error that has an expected one, beside it.
std::vector<Finding> rows_beside(const std::vector<NetworkFindings>& all);

/// "none 0.407, GEN 0.338"
std::string means_in_words(const NetworkFindings&, const std::vector<NetworkMethod>& methods);

/// The methods that do well in the expected results: cross-validation, evidence, MacKay.
inline constexpr std::array good_methods{NetworkMethod::five_fold, NetworkMethod::evidence,
                                         NetworkMethod::mackay};

/// A claim about the order of the methods, and whether these trials bear it out.
struct OrderCheck {
  std::string claim;
  bool holds;
};
std::vector<OrderCheck> order_checks(const NetworkFindings&);

}  // namespace gnomon::app
