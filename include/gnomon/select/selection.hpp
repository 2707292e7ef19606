#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gnomon/learn/model.hpp"
#include "gnomon/learn/path_solver.hpp"
#include "gnomon/search/minimise.hpp"
#include "gnomon/select/chosen_error.hpp"
#include "gnomon/select/request.hpp"

namespace gnomon {

/// What one criterion says, whatever it was looked for in.
struct CriterionOutcome {
  std::string label;  ///< as asked for: "cv:5"
  Criterion criterion;
  ErrorKind kind = ErrorKind::prediction;
  int folds = 0;                       ///< that the label names; 0 = none
  CriterionCurve curve{};              ///< at every point of the path, or of the way that a search took
  std::optional<Selected> selected{};  ///< nothing where the curve is undefined throughout
};

/// One criterion along a path, and the point that it would choose; NaN where it would choose nothing.
struct PathOutcome : CriterionOutcome {
  double lambda = undefined;
  double width = undefined;      ///< kernels with a width only
  double tuning = undefined;     ///< learners with a tuning parameter only
  std::string representation{};  ///< the basis, kernel or columns, where several were tried
  Index grid_index = 0;          ///< the nearest λ of its candidate's grid
};

/// One criterion in a search over several parameters. At an edge: a parameter ran to one of its bounds.
struct SearchOutcome : CriterionOutcome {
  SearchResult search;    ///< its parameters are logarithms
  double df = undefined;  ///< of the point found
};

/// The fits of one width, kernel or basis in an average: Σ_λ weight f_λ, one expansion.
struct CombinedFits {
  double width = undefined;      ///< kernels with a width only
  std::string representation{};  ///< the basis or kernel, where several were tried
  std::vector<double> lambda, weight;
  std::vector<double>
      value;  ///< what the weights come from: blend, and −2 log of the prior of an automatic width

  double total_weight() const;
  /// exp of the weighted mean of log λ.
  double mean_lambda() const;
};

/// An average of fits; empty where one fit was delivered. The weights of all of them add up to one.
using Combined = std::vector<CombinedFits>;

Index fit_count(const Combined&);
/// 1/Σ weight²: as many equal weights would spread as much.
double effective_fit_count(const Combined&);

/// One λ, along the grid of each candidate: λ ascends inside a candidate, candidates follow each other. The first criterion
/// chose.
struct SelectionPath {
  std::vector<PathOutcome> criteria;
  std::vector<double> lambda;         ///< of every point
  std::vector<double> width, tuning;  ///< of every point; empty unless several were tried
  std::vector<std::string>
      representation{};  ///< basis, kernel or columns of every point; empty unless several were tried
  std::string representation_name{};  ///< "basis", "kernel", "columns", or "model" for a basis on columns
  std::string tuning_name;            ///< "tau", "mix", …; empty for learners that have λ alone
  bool tuning_on_log_axis = false;
  Vector df, train_error;  ///< of every point
  Vector test_error;       ///< mean squared error on labelled test rows; empty unless they were given

  // The chosen fit of learners that are linear in y:
  Spectrum spectrum;              ///< of the chosen width; empty unless kept
  Vector leave_one_out_residual;  ///< empty where it has no closed form
  double gram_error_bound = 0;
  // That of all others:
  std::optional<PathFit> solution;  ///< with its certificate
  Matrix coefficient_path;          ///< of a basis at the chosen tuning: columns × λ

  /// The fits that were averaged, where the request asks for it: they are the delivered fit then, to which belong its df, errors and
  /// left-out residuals. The best one alone is still `chosen()`.
  Combined combined{};

  const PathOutcome& chosen() const { return criteria.front(); }
};

/// Several regularization parameters at once, so that there is no path over λ. The first criterion chose.
struct TunedSearch {
  std::vector<SearchOutcome> criteria;
  std::vector<Parameter> parameters;
  Vector chosen;                     ///< values of the parameters
  std::vector<Verdict> verdicts;     ///< of the chosen point
  Vector gamma;                      ///< γ_g of the chosen fit; NaN for widths
  Matrix points;                     ///< the way to the chosen point, one row of values each
  Vector df, train_error;            ///< along it; NaN where training is iterative
  double gradient_norm = undefined;  ///< of the training cost, where training is iterative
  std::string training;              ///< how training ended, in words; empty in closed form
  bool searched = true;              ///< false: only values that were named were tried
};

/// What was found for one target: a path, or a search with its trace.
struct TargetSelection {
  std::string target;
  NoiseVariance noise;
  std::vector<std::string> warnings;
  std::variant<SelectionPath, TunedSearch> found;

  // The chosen fit.
  double chosen_df = undefined, chosen_train_error = undefined;
  Vector fitted;  ///< at the training rows
  /// Predictions of the training rows by fits with the chosen parameters that did not see them; empty where not asked for.
  Vector held_out;
  std::string held_out_by;  ///< how they were left out, in words
  std::string strategy;
  std::optional<ChosenError> error;  ///< of the chosen fit on new data; empty unless asked for

  /// The one of the two that it is; the other is null.
  const SelectionPath* path() const { return std::get_if<SelectionPath>(&found); }
  const TunedSearch* search() const { return std::get_if<TunedSearch>(&found); }
  SelectionPath* path() { return std::get_if<SelectionPath>(&found); }
  TunedSearch* search() { return std::get_if<TunedSearch>(&found); }

  /// In the order asked for; the first one chose.
  std::vector<const CriterionOutcome*> criteria() const;
  const CriterionOutcome& chosen() const;
};

/// The widths that `width` auto tried, ascending, each with the least value of the blend along its λ less the prior.
struct WidthSearch {
  double median = undefined;  ///< distance between rows
  double chosen = undefined;
  std::vector<double> width{}, value{};
  Index rows = 0;  ///< how many of the rows were looked at
};

struct Selection {
  SelectionRequest request;
  Filter filter;  ///< of learners linear in y
  Metric metric;
  std::vector<TargetSelection> targets;
  Model model;
  Matrix probabilities{};               ///< of the classes at the training rows; empty for regression
  std::optional<WidthSearch> widths{};  ///< where `width` auto chose; later criteria judge its λ
  std::string default_reason;           ///< why `auto` took the criterion it took; empty if the user chose
};

/// Estimates the error along the path under every criterion asked for, and fits at the chosen point.
/// Misuse and requests that make no sense throw an Error; undefined values are part of the result.
Selection select(const TrainingData& data, const SelectionRequest& request, const Progress& progress = {});

/// Checks every name and number of a request before any data are read: unknown names are a UsageError.
void check_request(const SelectionRequest& request);

/// What `auto` stands for: the criterion that chooses, those reported beside it, and the sentence that says why (the studies are
/// in bench/).
struct DefaultCriteria {
  std::vector<std::string> names;
  std::string reason;
};
DefaultCriteria default_criteria(const Learner& learner, const SelectionRequest& request);

}  // namespace gnomon
