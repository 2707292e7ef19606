#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gnomon/core/progress.hpp"
#include "gnomon/data/folds.hpp"
#include "gnomon/decompose/fold_errors.hpp"
#include "gnomon/decompose/spectrum.hpp"
#include "gnomon/learn/account.hpp"
#include "gnomon/learn/bootstrap.hpp"
#include "gnomon/learn/decay_evidence.hpp"
#include "gnomon/learn/mlp_train.hpp"
#include "gnomon/learn/model.hpp"

namespace gnomon {

class Smoother;
class PathLearner;
struct ErrorPath;

/// One number that a learner is tuned by; searches run over its logarithm.
struct Parameter {
  enum class Kind {
    decay,  ///< λ against the plain sum of losses; at ∞ the weights it acts on are dropped
    width   ///< of a kernel along some inputs; at ∞ these inputs are dropped
  };
  Kind kind = Kind::decay;
  std::string name = "lambda";  ///< "lambda", "lambda[age]", "width[age, sex]"
  Index weights = 0;            ///< how many weights a decay acts on
  double unit = 1;              ///< its natural size, where searches begin
  double lower = 0, upper = 0;  ///< bounds of a search

  /// What stands in the brackets of the name, or the name itself.
  std::string label() const {
    const auto open = name.find('[');
    return open == std::string::npos ? name : name.substr(open + 1, name.size() - open - 2);
  }
};

/// Points of a learner's parameters, natural values: one column per point, one row per parameter.
using Points = Matrix;

/// Points that say where the error is measured: a sample (weights 1/m) or the nodes of a quadrature.
struct MetricPoints {
  Matrix x;
  Vector weight;  ///< sums to 1
};
MetricPoints metric_points(const MatrixView& sample);

/// Where the error is measured: the U of the SIC family.
struct Metric {
  enum class Kind { function_space, train, points } kind = Kind::train;
  MetricPoints points;      ///< for Kind::points, in the learner's (scaled) input units
  std::string description;  ///< "function-space", "train", "test", a file name
  double spacing = 0;  ///< most between points that are nodes of a quadrature, which sees nothing narrower
};

/// What the SIC family measures a fit against: least squares, the learner's own fit at a pilot λ, or ridge of that degree γ
/// which makes the squared error of SIC at the pilot λ least.
enum class SicReference { least_squares, pilot, regularized };

/// The SIC family takes its reference from one of these, and its covariance term from a trace or divergence, or from the
/// residual bootstrap.
struct SicQuestion {
  const Metric& metric;
  double pilot_lambda = undefined;  ///< of the two references other than least squares
  bool bootstrap = false;
  BootstrapOptions resampling{};
  std::uint64_t seed = 0;
  const Progress& progress;
  SicReference reference = SicReference::least_squares;
  double sigma2 = undefined;  ///< to choose γ by; NaN: from the residuals at the pilot λ
};

/// SIC's parts at every point, and what holds for all of them.
struct SicAccount {
  std::vector<SicParts> parts;
  std::string covariance{};    ///< how the covariance term was obtained, in words; empty: by a trace
  bool by_divergence = false;  ///< it rests on Stein's identity, exact or by Monte Carlo
  /// What the family leaves out, from σ², where it is known and means something; empty otherwise.
  std::function<std::optional<double>(double sigma2)> constant{};
  /// An estimate of the squared norm of the target in the metric from σ², without which bias and variance are known up to a
  /// constant only.
  std::function<std::optional<double>(double sigma2)> squared_target{};
  double gamma = undefined;  ///< of a regularized reference
};

/// The fit at one point.
struct Fit {
  Model model;
  Matrix fitted;                      ///< rows × outputs; class probabilities of a classifier
  double training_error = undefined;  ///< mean squared residual over all outputs, or mean cross-entropy
  double df = undefined;              ///< γ, effective number of parameters, unpenalised ones included
  Vector gamma;                       ///< γ_g of every decay; NaN for widths
  double gradient_norm = undefined;   ///< of the training cost where training is iterative: its certificate
  std::optional<MlpOutcome> outcome;  ///< how training ended; empty in closed form
  std::string status;                 ///< the same in words

  /// Iterative training ended anywhere but at a minimum.
  bool short_of_minimum() const { return outcome && *outcome != MlpOutcome::minimum; }
};

/// What leaving one out takes of a row of weight w: min(1, w) of it, the criterion loo's meaning, or all, so that nothing of it is seen.
enum class Deletion { unit_of_weight, whole_row };

/// Residuals y − f of every row by fits that have not seen it.
struct UnseenResiduals {
  Matrix residual;  ///< rows × points; NaN where it is undefined
  std::string by;   ///< how the rows were kept from the fits, in words
};

/// A learner on one data set: a family of fits over its tuning parameters, which keeps accounts. Anything that can be asked
/// of a fit is asked here; what a learner cannot give it says in words, and nobody asks it what it is. Points hold natural values,
/// derivatives are by their logarithms.
class Learner {
 public:
  virtual ~Learner() = default;

  /// λ alone for a path of fits; several decays or widths otherwise.
  virtual const std::vector<Parameter>& parameters() const = 0;
  virtual Index rows() const = 0;
  virtual Index targets() const = 0;
  virtual double count() const = 0;  ///< number of observations n, the sum of the weights
  virtual bool intercept() const = 0;
  virtual bool is_kernel() const = 0;
  /// Columns of the design that the coefficients belong to (basis) or rows (kernel).
  virtual Index columns() const = 0;
  /// Σ w y², about the mean where there is an intercept.
  virtual double total(Index target) const = 0;
  /// Whether an evaluation trains by iteration: then nothing is evaluated that was not asked for.
  virtual bool iterative() const { return false; }
  /// Rows carry density ratios of a covariate shift.
  virtual bool is_shifted() const { return false; }
  /// Rows carry counts other than one.
  virtual bool repeats_rows() const { return false; }
  /// The residual beyond which the loss is linear; ∞ for squared errors.
  virtual double loss_turn() const { return std::numeric_limits<double>::infinity(); }

  /// Why there is no such account, in words, or an empty text: the one place of refusal.
  virtual std::string lacks(Account account, const Metric& metric) const = 0;
  /// `squares`: left_squared too. `slopes`: derivatives too, here and below.
  virtual std::vector<Counts> counts(const Points& points, Index target, bool squares, bool slopes) const = 0;
  /// Rows up to `lags` apart may depend on each other.
  virtual std::vector<Scores> scores(const Points& points, Index target, Index lags, bool slopes) const;
  virtual std::vector<LeftOut> left_out(const Points& points, Index target, bool slopes,
                                        const Progress& progress) const;
  virtual std::vector<HeldOut> held_out(const Points& points, Index target, const Folds& folds, bool slopes,
                                        const Progress& progress) const;
  /// Row by row what the two accounts above sum: rows left out one at a time if `alone` and there is a formula for it,
  /// else held out by `folds`.
  virtual UnseenResiduals unseen_residuals(const Points& points, Index target, const Folds& folds, bool alone,
                                           const Progress& progress) const;
  virtual std::vector<EvidenceParts> evidence(const Points& points, Index target, bool slopes) const;
  /// What MacKay's updates need, with κ = λ/N for every decay; only learners whose parameters are all decays have it.
  virtual DecayEvidence decays(const Vector& point) const;
  virtual SicAccount sic(const Points& points, Index target, const SicQuestion& question, bool slopes) const;

  /// The fit, at one point per target; learners with several parameters have one target.
  virtual Fit fit_at(const Points& points) const = 0;

  /// The learner itself if it is linear in y, else null.
  virtual const Smoother* linear() const { return nullptr; }
  /// The learner itself if it is solved anew for every y, else null.
  virtual const PathLearner* solved() const { return nullptr; }
  /// Ridge on the same design: the learner itself if it is linear, else its companion, which supplies the
  /// least-squares reference and estimates of the noise.
  virtual const Smoother& smoother() const;

 protected:
  [[noreturn]] void refuse(Account account) const;
};

/// Errors of a path, point by point: of rows held out, and of rows left out alone that count for so many.
std::vector<HeldOut> by_point(const FoldErrors& errors);
std::vector<LeftOut> by_point(const ErrorPath& errors, double count);

/// The λ of points of a path.
std::vector<double> lambdas_of(const Points& points);
/// Points of a path, from λ.
Points points_of(std::span<const double> lambdas);

}  // namespace gnomon
