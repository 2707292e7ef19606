#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gnomon/catalog.hpp"
#include "gnomon/select/selected.hpp"

namespace gnomon {

/// Inputs and targets in the units the learner works in (scaled), with names for messages.
struct TrainingData {
  Matrix x, y;
  Vector weight;  ///< empty = ones
  std::vector<std::string> target_names;
};

/// What to try and what to judge it by; texts as on the command line.
struct SelectionRequest {
  std::string learner = "kernel-ridge";
  std::string kernel = "gaussian";
  std::string width = "median";  ///< "median", a number, a list a,b,c or lo:hi:count
  std::string basis = "linear";
  std::string penalty = "function";              ///< kernel ridge: "function" or "coefficients"
  std::string lambda = "auto";                   ///< "auto", lo:hi:count or a list
  std::vector<std::string> criteria = {"auto"};  ///< the first one chooses
  std::string noise = "auto";
  std::optional<Metric>
      metric{};  ///< empty: function space for the coefficient penalty, else training inputs
  bool intercept = true;
  Search search = Search::refine;
  Rule rule = Rule::minimum;
  Strategy strategy = Strategy::automatic;
  int repeats = 1;  ///< of cross-validation

  bool keep_spectrum = true;  ///< eigenvalues for the report: O(n²) more where nothing else asks for them
  std::uint64_t seed = 0;     ///< of cross-validation's folds
};

/// One criterion along the path: its curve, and what it would choose.
struct CriterionOutcome {
  std::string label;  ///< as asked for: "cv:5"
  Criterion criterion;
  ErrorKind kind = ErrorKind::prediction;
  CriterionCurve curve;
  std::optional<Selected> selected;  ///< nothing where the curve is undefined throughout
  double width = undefined;          ///< of the selected point, kernels with a width only
};

/// The path of one target. Points are λ-major inside each width; `width` is empty unless several were tried.
struct TargetSelection {
  std::string target;
  NoiseVariance noise;
  std::vector<double> lambda, width;
  Vector df, train_error;
  std::vector<CriterionOutcome> criteria;
  std::vector<std::string> warnings;

  // The chosen fit.
  double chosen_lambda = undefined, chosen_width = undefined;
  double chosen_df = undefined, chosen_train_error = undefined;
  Vector fitted;                  ///< at the training rows
  Vector leave_one_out_residual;  ///< empty where it has no closed form
  Spectrum spectrum;              ///< of the chosen width; empty unless kept
  std::string strategy;
  double gram_error_bound = 0;

  const CriterionOutcome& chosen() const { return criteria.front(); }
};

struct Selection {
  SelectionRequest request;
  Filter filter;
  Metric metric;
  std::vector<TargetSelection> targets;
  LinearModel model;
  std::string default_reason;  ///< why `auto` took the criterion it took; empty if the user chose
};

/// Estimates the error along the path under every criterion asked for, and fits at the chosen point.
/// Misuse and requests that make no sense throw an Error; undefined values are part of the result.
Selection select(const TrainingData& data, const SelectionRequest& request, const Progress& progress = {});

/// Checks every name and number of a request before any data are read: unknown names are a UsageError.
void check_request(const SelectionRequest& request);

/// The criterion that `auto` stands for, and the sentence that says why (the study is bench/study_default).
struct DefaultCriterion {
  std::string_view name, reason;
};
DefaultCriterion default_criterion(const Filter& filter);

}  // namespace gnomon
