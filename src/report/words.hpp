#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gnomon/report/study.hpp"
#include "learn/equation.hpp"

namespace gnomon {

/// What the numbers of a criterion mean. Only numbers of one quantity share a table group or an axis. Finer
/// than ErrorKind: whether the noise counts, and whether a constant was left out, shifts a curve against its
/// neighbours.
enum class Quantity {
  prediction_error,        ///< of new data, noise included
  function_error,          ///< of the fitted function, noise excluded
  function_error_shifted,  ///< the same less a constant
  function_space_error,    ///< squared RKHS norm, less a constant
  log_evidence,
  log_likelihood,
  cross_entropy,  ///< −log of the probability given to the true class
  relative,       ///< to the variance of each target, mean over several
  huber_loss      ///< squared up to τ, linear beyond
};
inline constexpr Quantity all_quantities[] = {
    Quantity::prediction_error,     Quantity::function_error, Quantity::function_error_shifted,
    Quantity::function_space_error, Quantity::log_evidence,   Quantity::log_likelihood,
    Quantity::cross_entropy,        Quantity::relative,       Quantity::huber_loss};

Quantity quantity_of(const CriterionOutcome&);
std::string_view title_of(Quantity);
std::string_view axis_label_of(Quantity);
/// Whether ratios of its values mean something: not those of log likelihoods and of errors less a constant.
bool has_zero(Quantity);

/// "loo" → "leave-one-out", "cv:5" → "5-fold cross-validation".
std::string criterion_in_words(const CriterionOutcome&);

/// What the number estimates: the criterion's own words, but those of the loss for a classifier.
std::string estimates_in_words(const Study&, const CriterionOutcome&);

/// Standard error of the error on the test rows; NaN where there is none.
double test_error_se(const Study&, std::size_t target);
/// "0.043 (0.031 to 0.058)".
std::string interval_in_words(const ChosenError&);
/// The other criteria whose choices held-out rows do not tell from the chosen one; empty if there is none.
std::string told_apart_in_words(const ChosenError&);

/// What was chosen and what to expect of it, in one sentence or two, true to what the criterion estimates.
std::string head_line(const Study&, Index target);

/// "43 fits of 4 widths": what was averaged; empty where one fit was chosen.
std::string averaged_in_words(const SelectionPath&);

/// "gaussian, width 1.2" or "polynomial:3".
std::string representation_in_words(const Study&, const TargetSelection&);
/// The basis or kernel of the chosen fit.
std::string representation_name(const Study&, const TargetSelection&);
bool is_kernel(const Study&);

/// A parameter's value, or what became of it: "0.12", "∞ (dropped)", "0 (not regularized)".
std::string parameter_in_words(const TunedSearch&, Index parameter);
/// The place of the only decay among the parameters, which is then called λ; nothing if there are several.
std::optional<Index> only_decay(const TunedSearch&);
/// The parameters that ran to infinity, by name; empty if none.
std::string dropped_in_words(const TunedSearch&);

/// How many there are, whether or not the inputs were kept.
Index row_count(const Study&);
Index feature_count(const Study&);
/// The map from the columns in the user's units to what the learner saw.
Scaling scaling_of(const Study&);
/// The fit in the user's units, where it is linear in the columns.
std::optional<LinearEquation> equation_of(const Study&, Index target);

const TargetSelection& target_of(const Study&, Index target);
/// Whether two criteria chose the same candidate, whatever the λ.
bool same_candidate(const SelectionPath&, const PathOutcome&, const PathOutcome&);
/// Whether a place of the path belongs to the candidate that a criterion chose.
bool is_of_candidate(const SelectionPath&, std::size_t place, const PathOutcome&);
/// Places of the path with the candidate that a criterion chose; all of them if only one was tried.
std::vector<Index> path_at(const SelectionPath&, const PathOutcome&);
/// " and width = 2 and tau = 0.3": what was chosen beside λ, empty if there was nothing to choose from.
std::string beside_lambda(const SelectionPath&);
/// What curves are drawn against: λ; the tuning parameter where λ has one value only; or the number of the basis, kernel or
/// subset where each has one point only.
struct PathAxis {
  std::string label;  ///< "λ", "flattening", …
  bool log = true;
  enum class Along { lambda, tuning, representation } along = Along::lambda;

  bool is_lambda() const { return along == Along::lambda; }
};
PathAxis path_axis(const SelectionPath&);
/// Degrees of freedom where a criterion is least, which need not be on the grid; NaN where it is undefined.
double df_of(const Study&, Index target, const PathOutcome&);

}  // namespace gnomon
