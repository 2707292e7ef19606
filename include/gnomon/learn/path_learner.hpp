#pragma once

#include <functional>
#include <map>

#include "gnomon/learn/divergence.hpp"
#include "gnomon/learn/path_solver.hpp"
#include "gnomon/learn/smoother.hpp"

namespace gnomon {

class HeldOutMoments;
class MomentsRidge;
struct PointMoments;

/// Prepares a solver on a design. `known` are the centred cross products of the features if they are at hand.
using SolverFactory = std::function<PathSolverPtr(const SolverDesign&, const CentredGram* known)>;

struct PathLearnerOptions {
  Representation representation{};
  SolverFactory solver{};
  bool intercept = true;
  Divergence divergence = Divergence::best;
  int probes = 1;  ///< of the Monte-Carlo divergence
  std::uint64_t seed = 0;
  Folds folds{};  ///< cross-validation to come, so that a tall design is passed over once; empty = none
  /// Covariate shift: the density ratio p_test/p_train at the rows. The weights of the fit are then no counts (a power of
  /// this ratio, zeros allowed) and the noise has one variance. Empty: weights are counts.
  Vector importance{};
  /// Moments for judging tall least-squares fits under importance weights, shared by all exponents; null otherwise.
  std::shared_ptr<const HeldOutMoments> held_out{};
  /// The exponent of the fit's weights, one of those of `held_out`, which knows the importance too: `weight` and
  /// `importance` may then stay empty, and while the moments are well conditioned nothing goes over the rows.
  double flattening = undefined;
  std::shared_ptr<const PointMoments> judged_at{};  ///< for the metric to come; null = made when needed
  std::shared_ptr<const Matrix> features{};  ///< the design, where it is made already; null = from the inputs
};

/// A learner that is solved anew for every y, on one data set: lasso, Huber, SVR, a black box.
/// Its degrees of freedom are the divergence Σ ∂f_i/∂y_i: by the learner's formula, or by Monte Carlo.
class PathLearner final : public Learner {
 public:
  PathLearner(std::shared_ptr<const Matrix> x, const MatrixView& y, const VectorView& weight,
              PathLearnerOptions options);
  /// A solver whose coefficients are the fitted values themselves, with no inputs behind it: a black box. Criteria
  /// that measure at the training rows apply; predictions and cross-validation do not.
  explicit PathLearner(PathSolverPtr solver, const MatrixView& y, const VectorView& weight = Vector(),
                       PathLearnerOptions options = {});

  ~PathLearner() override;

  const PathLearner* solved() const override { return this; }
  const Smoother& smoother() const override;

  Index rows() const override { return y_.rows(); }
  Index targets() const override { return y_.cols(); }
  double count() const override { return count_; }
  bool intercept() const override { return options_.intercept; }
  bool is_kernel() const override {
    return features_ && std::holds_alternative<Kernel>(options_.representation);
  }
  const std::vector<Parameter>& parameters() const override { return parameters_; }
  Index columns() const override { return features_ ? features_->cols() : rows(); }
  bool is_shifted() const override { return importance().size() > 0; }
  bool repeats_rows() const override { return weight_.size() > 0 && (weight_.array() != 1).any(); }
  double loss_turn() const override { return solver_->loss_turn(); }
  double total(Index target) const override;
  bool has_inputs() const { return features_ != nullptr; }

  const Matrix& features() const { return *features_; }
  const PathSolver& solver() const { return *solver_; }
  /// The fit to other targets, started from one that is expected to be near.
  PathFit refit(const Vector& y, double lambda, const PathFit& start) const;
  /// Counts: row i has noise of variance σ²/w_i. Empty = ones, always so under importance weights.
  const Vector& weight() const { return weight_; }
  /// Of the fit: the counts, or the flattened density ratio under a shift. Empty = ones.
  const Vector& fit_weight() const;
  /// The density ratio at the rows; empty without a shift.
  const Vector& importance() const;
  /// The solver if it works from shared moments alone, else null.
  const MomentsRidge* from_moments() const { return from_moments_; }

  Vector target(Index t) const { return y_.col(t); }
  const PathLearnerOptions& options() const { return options_; }

  /// The fits along λ (ascending), solved once and kept.
  const std::vector<PathFit>& path(std::span<const double> lambdas, Index target) const;

  /// Φ·coefficients + offset at the training rows; Φᵀv with Σv below it for the offset.
  Vector fitted(const PathFit&) const;
  Vector adjoint(const Vector& v) const;
  /// (coefficients; offset), the offset only with an intercept.
  Vector parameters_of(const PathFit&) const;
  /// Features at new points, rows × parameters.
  Matrix features_at(const MatrixView& points) const;
  double weighted_mean(Index target) const;

  /// What the divergence in use is called in reports, and why there is none: an empty text if there is one.
  std::string divergence_name() const;
  std::string no_divergence() const;
  /// tr(U J W⁻¹ L_uᵀ) in the form chosen; `pairing` is e ↦ U L_u e, `matrix` its transpose over the weights,
  /// W⁻¹(U L_u)ᵀ, made only if needed.
  double divergence(const PathFit&, Index target, const Pairing& pairing,
                    const std::function<Matrix()>& matrix) const;
  /// The same from shared moments, for the reference weighted by the importance (see MomentsRidge::trace). Empty where
  /// the form chosen, or the moments at hand, do not allow it.
  std::optional<double> divergence_by_moments(const PathFit&, const Vector& c, const Matrix& p) const;

  std::vector<SpectralSums> sums(std::span<const double> lambdas, Index target) const;
  FoldErrors fold_errors(std::span<const double> lambdas, Index target, const Folds& folds,
                         const Progress& progress = {}) const;
  /// In closed form for learners affine in y, else by n refits.
  ErrorPath leave_one_out(std::span<const double> lambdas, Index target, const Progress& progress = {}) const;
  std::string no_leave_one_out() const;
  std::vector<double> automatic_grid() const {
    return solver_->automatic_grid(used_.empty() ? y_ : Matrix(y_(used_, Eigen::all)));
  }
  /// One λ per target.
  LinearModel fit(std::span<const double> lambdas) const;
  Fit fit_at(const Points& points) const override;

  std::string lacks(Account account, const Metric& metric) const override;
  std::vector<Counts> counts(const Points& points, Index target, bool squares, bool slopes) const override;
  std::vector<Scores> scores(const Points& points, Index target, Index lags, bool slopes) const override;
  std::vector<LeftOut> left_out(const Points& points, Index target, bool slopes,
                                const Progress& progress) const override;
  std::vector<HeldOut> held_out(const Points& points, Index target, const Folds& folds, bool slopes,
                                const Progress& progress) const override;
  UnseenResiduals unseen_residuals(const Points& points, Index target, const Folds& folds, bool alone,
                                   const Progress& progress) const override;
  std::vector<EvidenceParts> evidence(const Points& points, Index target, bool slopes) const override;
  SicAccount sic(const Points& points, Index target, const SicQuestion& question, bool slopes) const override;

 private:
  FoldErrors validate(std::span<const double> lambdas, Index target, const Folds&, bool prepared,
                      const Progress&) const;
  PathFit widened(PathFit fit, const Vector& y) const;
  PathFit narrowed(PathFit fit) const;
  SolverDesign design_on(const std::vector<Index>& rows) const;
  bool is_prepared_for(const Folds&) const;
  bool is_validated(std::span<const double> lambdas, Index target, const Folds&) const;
  FoldErrors refit_without_folds(std::span<const double> lambdas, Index target, const Folds&,
                                 const Progress&) const;
  bool has_leverages(std::span<const double> lambdas) const;
  Matrix left_out_residuals(std::span<const double> lambdas, Index target, Deletion deletion) const;
  Matrix squared_errors_left_out(std::span<const double> lambdas, Index target, const Progress&) const;
  const GramStatistics* training_moments() const;
  void check_rows(const VectorView& weight);
  Vector target_residual(const PathFit& fit, Index target) const { return y_.col(target) - fitted(fit); }
  bool exact_divergence() const;
  const Vector& degrees_of_freedom(std::span<const double> lambdas, Index target) const;
  Vector predict_held_out(const PathFit&, const std::vector<Index>& held,
                          const std::vector<Index>& train) const;

  Vector spread_over_rows(const Vector& of_used) const;
  /// Under a covariate shift, at a fit that is least squares on the weighted rows.
  Scores importance_scores(const PathFit& fit, Index target) const;
  /// Curvatures of the cost at the fits of a path.
  std::vector<CostCurvature> curvatures(std::span<const double> lambdas, Index target, Index lags) const;
  SicAccount sic_by_bootstrap(std::span<const double> lambdas, Index target, const SicQuestion&) const;

  PathLearnerOptions options_;
  std::vector<Parameter> parameters_{Parameter{}};
  std::shared_ptr<const Matrix> x_;
  Matrix y_;
  Vector weight_;              // counts; empty = ones
  mutable Vector fit_weight_;  // of the fit: counts, or flattened importance, made when needed; empty = ones
  std::vector<Index> used_;    // rows that the fit sees; empty = all
  double count_ = 0;
  std::shared_ptr<const Matrix> features_;   // null for a black box
  std::unique_ptr<GramStatistics> moments_;  // under weights given for the rows; null = those of the exponent
  const MomentsRidge* from_moments_ = nullptr;
  mutable std::unique_ptr<Smoother> companion_;
  PathSolverPtr solver_;
  mutable std::map<std::pair<Index, std::vector<double>>, std::vector<PathFit>> paths_;
  mutable std::map<std::pair<Index, std::vector<double>>, Vector> df_;  // of the same paths
  struct Validated {
    Index target;
    std::vector<double> lambdas;
    std::vector<int> fold_of_row;  // empty = the folds of the options
    FoldErrors errors;
  };
  mutable std::optional<Validated>
      validated_;  // the last cross-validation: the noise estimate and cv share it
};

}  // namespace gnomon
