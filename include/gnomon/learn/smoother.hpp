#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "gnomon/core/progress.hpp"
#include "gnomon/data/folds.hpp"
#include "gnomon/decompose/filter.hpp"
#include "gnomon/decompose/fold_errors.hpp"
#include "gnomon/learn/learner.hpp"

namespace gnomon {

class Decomposition;
class GramStatistics;
class RowBlocks;
struct WeightedRows;

/// What will be asked of a decomposition; this decides how it is made.
struct Needs {
  bool leave_one_out = false;
  bool held_out = false;        ///< rows held out by folds, of a kernel
  bool function_space = false;  ///< criteria in the function-space metric
  bool vectors = false;         ///< spectral coordinates as vectors: metrics on points, several targets
  Folds
      folds{};  ///< cross-validation to come: a tall design then needs one pass for everything; empty = none
};

/// How the spectrum is obtained. `automatic` looks at the size, the filter and the needs.
enum class Strategy { automatic, full, tridiagonal, pivoted_cholesky, gram };

struct SmootherOptions {
  Representation representation;
  Filter filter;
  bool intercept = true;
  Strategy strategy = Strategy::automatic;
  Needs needs{};
  /// Directions of the Gram with d ≤ tolerance·d₁ are not range; negative: all are; empty: n·ε.
  std::optional<double> range_tolerance{};
};

/// Mean squared leave-one-out error along a path with its standard error.
struct ErrorPath {
  Vector value, standard_error;
};

/// Σ_R (z² − σ²)/d, which added to the function-space form of SIC gives SIC itself, E SIC = E‖f̂ − f_S‖²; only where
/// the Gram is so well conditioned that the sum has digits.
std::optional<double> sic_constant(const Spectrum&, Index target, double sigma2);

/// Whether a design of this shape is best decomposed from its cross products.
bool smoother_is_tall(Index rows, Index columns);

/// A learner that is linear in y, prepared on one design: minimise Σ w (f + b − y)² + λ·penalty, or its
/// spectral relatives. One decomposition serves every λ; the fit at one λ is a LinearModel.
class Smoother final : public Learner {
 public:
  /// weight empty = ones; weight k is the row repeated k times.
  Smoother(MatrixView x, MatrixView y, VectorView weight, SmootherOptions options,
           const Progress& progress = {})
      : Smoother(std::make_shared<const Matrix>(x), y, weight, std::move(options), progress) {}
  /// The same on inputs that are shared, not copied.
  Smoother(std::shared_ptr<const Matrix> x, MatrixView y, VectorView weight, SmootherOptions options,
           const Progress& progress = {});
  /// The same on inputs that are read block by block: a tall design of a linear basis is never in memory as a whole, unless its cross
  /// products lose digits.
  Smoother(std::shared_ptr<const RowBlocks> x, MatrixView y, VectorView weight, SmootherOptions options,
           const Progress& progress = {});

  /// The same learner on the same inputs with other targets. O(n·rank) where the decomposition keeps its vectors
  /// (needs.vectors), else it is decomposed again.
  std::unique_ptr<Smoother> with_targets(const MatrixView& y) const;

  Smoother(const Smoother&) = delete;
  Smoother& operator=(const Smoother&) = delete;
  ~Smoother() override;

  const Smoother* linear() const override { return this; }
  const Smoother& smoother() const override { return *this; }

  Index rows() const override { return y_.rows(); }
  Index targets() const override { return y_.cols(); }
  double count() const override;
  bool repeats_rows() const override;
  const Filter& filter() const { return options_.filter; }
  bool intercept() const override { return options_.intercept; }
  bool is_kernel() const override { return std::holds_alternative<Kernel>(options_.representation); }
  const Representation& representation() const { return options_.representation; }
  const Decomposition& decomposition() const { return *decomposition_; }
  const Spectrum& spectrum() const;
  const std::vector<Parameter>& parameters() const override { return parameters_; }
  Index columns() const override;
  double total(Index target) const override;

  std::vector<SpectralSums> sums(std::span<const double> lambdas, Index target) const;

  /// Mean of squared leave-one-out errors, leaving one unit of weight out; closed form
  ///   e_i = r_i / (1 − h_i u_i/w_i),  u_i = min(1, w_i),
  /// with h_i the leverage in weighted coordinates. Equals refitting where the filter has closed-form
  /// deletion.
  ErrorPath leave_one_out(std::span<const double> lambdas, Index target, const Progress& progress = {}) const;
  std::string no_leave_one_out() const;
  bool prepared_for_leave_one_out() const { return options_.needs.leave_one_out; }
  /// The leave-one-out residuals themselves at one λ.
  Vector leave_one_out_residuals(double lambda, Index target,
                                 Deletion deletion = Deletion::unit_of_weight) const;

  FoldErrors fold_errors(std::span<const double> lambdas, Index target, const Folds& folds,
                         const Progress& progress = {}) const;

  /// Values of the fitted function less its offset at points, per unit of spectral coordinate: points × rank.
  Matrix spectral_features(const MatrixView& points) const;

  Vector coefficients(double lambda, Index target) const;
  /// One λ per target.
  LinearModel fit(std::span<const double> lambdas) const;
  Fit fit_at(const Points& points) const override;
  /// Σ_k weight_k f_{λ_k} of a learner with one target, a single expansion; the weights need not add up to one.
  Fit average(std::span<const double> lambdas, std::span<const double> weights) const;

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
  /// Fitted values at the training rows.
  Vector fitted(double lambda, Index target) const;

 private:
  Smoother(const Smoother& prepared, const MatrixView& y);
  /// The gains r of the reference, from which all three forms of SIC are made: 1/d, x at the pilot λ, 1/(d + γ).
  Vector reference_gains(Index target, const SicQuestion& question, double& gamma) const;
  SicAccount sic_on_points(std::span<const double> lambdas, Index target, const MetricPoints& points,
                           const Vector& reference) const;
  SicAccount sic_against(std::span<const double> lambdas, Index target, const Metric& metric,
                         const Vector& reference) const;
  Matrix left_out_residuals(std::span<const double> lambdas, Index target) const;
  Matrix held_out_residuals(std::span<const double> lambdas, Index target, const Folds& folds,
                            const Progress& progress) const;
  Matrix weighted_gram() const;
  Matrix weighted_design() const;
  Matrix predictions(const LinearModel& model) const;
  /// One λ per target: columns × targets, those of a kernel in weighted coordinates.
  Matrix coefficients_of(std::span<const double> lambdas) const;
  LinearModel expansion(Matrix coefficients) const;
  /// The residuals of these targets have mean zero.
  Fit with_intercept(LinearModel model, const Matrix& y) const;

  std::unique_ptr<Decomposition> decompose(const Progress&) const;
  /// From cross products per fold (`column` of their targets), or from the rows where those would cancel.
  FoldErrors tall_fold_errors(const GramStatistics& statistics, Index column, Index target,
                              std::span<const double> lambdas, const Folds& folds,
                              const SpectralGain& gain) const;

  SmootherOptions options_;
  std::vector<Parameter> parameters_{Parameter{}};

  std::shared_ptr<const RowBlocks> x_;
  Matrix y_;
  Vector weight_;
  std::shared_ptr<const WeightedRows> weighted_;
  std::shared_ptr<const RowBlocks> design_;  // basis only
  std::unique_ptr<Decomposition> decomposition_;

  /// Several accounts are made of the same sums, and criteria ask for them one after another: the last ones are kept.
  struct LastPath {
    std::mutex lock;
    std::vector<double> lambdas;
    Index target = -1;
    std::vector<SpectralSums> sums;
  };
  mutable LastPath last_path_;
};

}  // namespace gnomon
