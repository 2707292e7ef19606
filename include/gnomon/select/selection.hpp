#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gnomon/learn/model.hpp"
#include "gnomon/learn/path_solver.hpp"
#include "gnomon/search/minimise.hpp"
#include "gnomon/select/request.hpp"

namespace gnomon {

/// One criterion along the path: its curve, and what it would choose.
struct CriterionOutcome {
  std::string label;  ///< as asked for: "cv:5"
  Criterion criterion;
  ErrorKind kind = ErrorKind::prediction;
  CriterionCurve curve;
  std::optional<Selected> selected;  ///< nothing where the curve is undefined throughout
  double width = undefined;          ///< of the selected point, kernels with a width only
  double tuning = undefined;         ///< of the selected point, learners with a tuning parameter only
  double df = undefined;             ///< of the selected point, searches over several parameters only
  int folds = 0;                     ///< that the label names; 0 = none
};

/// What a search over several regularization parameters found for one target.
struct TunedSearch {
  std::vector<Parameter> parameters;
  Vector chosen;                           ///< values of the parameters
  std::vector<Verdict> verdicts;           ///< of the chosen point
  Vector gamma;                            ///< γ_g of the chosen fit; NaN for widths
  Matrix points;                           ///< the way to the chosen point, one row of values each
  std::vector<SearchResult> of_criterion;  ///< in the order of the criteria; parameters are logarithms
  double gradient_norm = undefined;        ///< of the training cost, where training is iterative
  std::string training;                    ///< how training ended, in words; empty in closed form
  bool searched = true;                    ///< false: only values that were named were tried
};

/// The path of one target: λ ascending inside each candidate. `width` and `tuning` have one entry per point, and are
/// empty unless several were tried.
struct TargetSelection {
  std::string target;
  NoiseVariance noise;
  std::vector<double> lambda, width, tuning;
  std::string tuning_name;  ///< "tau", "mix", …; empty for learners that have λ alone
  bool tuning_on_log_axis = false;
  Vector df, train_error;
  Vector test_error;  ///< mean squared error on labelled test rows; empty unless they were given
  std::vector<CriterionOutcome> criteria;
  std::vector<std::string> warnings;

  // The chosen fit.
  double chosen_lambda = undefined, chosen_width = undefined, chosen_tuning = undefined;
  double chosen_df = undefined, chosen_train_error = undefined;
  Vector fitted;                  ///< at the training rows
  Vector leave_one_out_residual;  ///< empty where it has no closed form
  Spectrum spectrum;              ///< of the chosen width; empty unless kept
  std::string strategy;
  double gram_error_bound = 0;
  std::optional<TunedSearch> tuned;  ///< several parameters at once: then there is no path over λ
  // Learners that are not linear in y:
  std::optional<PathFit> solution;  ///< the chosen fit with its certificate
  Matrix coefficient_path;          ///< of a basis at the chosen tuning: columns × λ

  const CriterionOutcome& chosen() const { return criteria.front(); }
};

struct Selection {
  SelectionRequest request;
  Filter filter;  ///< of learners linear in y
  Metric metric;
  std::vector<TargetSelection> targets;
  Model model;
  Matrix probabilities{};      ///< of the classes at the training rows; empty for regression
  std::string default_reason;  ///< why `auto` took the criterion it took; empty if the user chose
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
