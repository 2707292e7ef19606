#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/decompose/filter.hpp"
#include "gnomon/learn/path_learner.hpp"
#include "gnomon/select/values.hpp"

namespace gnomon {

struct SelectionRequest;
struct TrainingData;

/// What a learner works on. Kernels take a kernel and a width, bases a basis; either: a kernel unless a basis is named;
/// network: the inputs themselves, and hidden units.
enum class Inputs { basis, kernel, either, network };

/// What a column of row weights means to a learner.
enum class RowWeights {
  counts,         ///< weight k is the row repeated k times
  density_ratios  ///< p_test/p_train of a covariate shift, without which the learner makes no sense
};

/// What a kernel learner penalises: λ·αᵀKα, the squared norm of the function, or λ‖α‖².
enum class Penalty { function, coefficients };

/// What a learner's own tuning parameter may be chosen from where nothing was said.
struct TuningContext {
  const TrainingData& data;
  const Representation& representation;
  bool intercept;
};

/// A tuning parameter beside λ: the name of an option and of an axis in results.
struct TuningParameter {
  std::string name;
  /// Where a request says which values to try; null: in `tuning`, the place for learners of your own.
  Values SelectionRequest::*values = nullptr;
  Spacing spacing = Spacing::logarithmic;
  /// What "auto" stands for: one value on the scale of the data, or a few to choose from.
  std::function<std::vector<double>(const TuningContext&)> automatic{};
  std::string automatic_in_words = "auto";
  bool empty_is_automatic = false;  ///< no text at all stands for it, not the word auto
  /// Throws unless the values (ascending) make sense; null if all do that the spacing allows.
  std::function<void(const std::vector<double>&)> check{};
  /// Ends that mean something (0 and 1 of a share): choosing one of them asks for no wider range.
  std::vector<double> natural_ends{};
  bool log_axis = false;
  /// It belongs to the loss: criteria in the learner's own loss cannot compare its values, and without a ridge term
  /// the fit moves with y as least squares does whatever its value, so that Stein's term cannot choose it.
  bool of_the_loss = false;
  /// It is the exponent of the importance weights rather than something of the solver.
  bool is_exponent = false;

  bool ends_naturally_at(double value) const;
  ValueRule rule() const { return {name, spacing, empty_is_automatic ? "" : "auto"}; }
  /// What a request says of it.
  const Values& asked(const SelectionRequest& request) const;
};

/// One setting of a learner that is solved anew for every y.
struct SolverSetting {
  const SelectionRequest& request;
  const Matrix& x;
  double tuning;         ///< of the learner's own tuning parameter; NaN where it has none
  const Vector& weight;  ///< counts of the rows; empty = ones
};

/// A way of penalising a learner that is linear in y: a filter on a spectrum.
struct PenaltyFilter {
  Penalty penalty;
  Filter filter;
  /// The same fit under importance weights, which is solved instead; null if it is not offered.
  SolverFactory weighted{};
};

/// A criterion to choose by where none was named, why, and what to report beside it.
struct RecommendedCriterion {
  std::string criterion, reason;
  std::vector<std::string> beside{};
};

/// What `auto` means for a learner. The studies behind the reasons are in bench/.
struct RecommendedCriteria {
  RecommendedCriterion path{"cv", "assumes nothing about the learner"};
  RecommendedCriterion shift_on_basis{
      "sic", "estimates the error at the test inputs; iwcv chose as well in the reproduced toy problem"};
  RecommendedCriterion shift_on_kernel{"iwcv", "cross-validation weighted to the test inputs"};
  RecommendedCriterion many{
      "evidence", "least regret in the project's study of many parameters at once", {"loo"}};
  RecommendedCriterion one_of_many{"loo", "as good as ten-fold cv in the project's study, and needs no seed"};
  RecommendedCriterion series{"cv-blocked:5", "rows that are near in time depend on each other"};
  RecommendedCriterion classes{"cv:5", "assumes nothing about the shape of the likelihood"};
};

/// A learner as a function of several regularization parameters at once.
struct ManyParameters {
  /// `target` is one column of y; −1 for all of them together.
  std::function<std::unique_ptr<Learner>(const TrainingData&, const SelectionRequest&, Index target)> make;
  bool always = false;      ///< there is no path of one λ
  bool joint = false;       ///< all targets share one search
  bool one_target = false;  ///< parameters would differ from target to target
  bool decays_only = true;  ///< no widths among them, so that MacKay's updates apply
  bool groups_inputs =
      true;  ///< groups of inputs say which parameters there are; false: only where decays go by input
  bool leaves_one_out = true;  ///< leave-one-out in closed form
};

/// What the fit rests on, for reports.
struct ActiveWords {
  bool rows;          ///< rows are active, not columns
  std::string words;  ///< "rows within tau": what goes behind "12 of 40"
  // A chart of residuals between the lines ± tuning, where active rows lie on one side of them; an empty title: none.
  std::string chart{}, active{}, passive{};
};

/// All that selection, reports and the command need to know of a learner. To add one, fill an entry in
/// src/select/learners/<name>.cpp and list it in src/select/learner_entry.cpp, or hand it to select() in a request.
struct LearnerEntry {
  std::string name;
  Inputs inputs = Inputs::basis;
  /// Linear in y: the filters by penalty, the first being the default; empty for learners that are solved anew for every y.
  std::vector<PenaltyFilter> filters{};
  /// Of learners that are not linear in y: a factory of solvers at one setting.
  std::function<SolverFactory(const SolverSetting&)> solver{};
  std::optional<TuningParameter> tuning{};
  std::optional<ManyParameters> many{};
  /// Options of its own, by name, beside that of its tuning parameter.
  std::vector<std::string> options{};
  /// Throws where an option of its own makes no sense; null if nothing can be wrong.
  std::function<void(const SelectionRequest&)> check{};

  bool zero_lambda = true;                  ///< λ = 0 is a fit
  std::vector<double> automatic_lambdas{};  ///< "auto"; empty: a grid from the data
  RowWeights row_weights = RowWeights::counts;
  /// Under importance weights it is ridge on a basis: tall designs are then judged from moments that all exponents share.
  bool weighted_ridge_on_basis = false;
  bool classifies = false;  ///< takes a target that names classes
  RecommendedCriteria recommended{};
  std::optional<ActiveWords> active{};

  bool linear() const { return !filters.empty(); }
  bool takes(std::string_view option) const;
  /// The filter of a learner that is linear in y under a penalty; learners with one filter take any.
  const PenaltyFilter& filter(Penalty penalty) const;
  bool takes_importance(Penalty penalty) const;
  bool tunes_exponent() const { return tuning && tuning->is_exponent; }
};

/// The learners that have a name, in the order of lists and messages.
const std::vector<LearnerEntry>& learner_catalog();
/// The learner of a name; an unknown one is a UsageError.
const LearnerEntry& find_learner(std::string_view name);

}  // namespace gnomon
