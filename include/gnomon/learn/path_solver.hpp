#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/core/progress.hpp"
#include "gnomon/core/types.hpp"
#include "gnomon/data/folds.hpp"
#include "gnomon/decompose/centred_gram.hpp"
#include "gnomon/decompose/fold_errors.hpp"

namespace gnomon {

class GramStatistics;

/// What a learner is prepared on: features and weights, never targets.
struct SolverDesign {
  std::shared_ptr<const Matrix> features;  ///< rows × columns of a basis, or the Gram of a kernel
  Vector weight{};              ///< empty = ones; all positive; weight k is the row repeated k times
  bool intercept = true;        ///< an unpenalised constant
  std::vector<Index> subset{};  ///< which rows of the data these are; empty = all of them

  Index rows() const { return features->rows(); }
  double count() const { return weight.size() ? weight.sum() : static_cast<double>(rows()); }
};

/// One fit f = Φ·coefficients + offset of a learner that need not be linear in y, with its certificate.
struct PathFit {
  double lambda = undefined;
  Vector coefficients;  ///< of the basis columns, or of the kernel's centres
  double offset = 0;
  double objective = undefined;  ///< as the learner's header states it
  double gap = undefined;  ///< how far from optimal: duality gap or optimality residual, as stated there
  bool converged = true;
  bool unique = true;      ///< false where other minimisers exist
  double rss = undefined;  ///< Σ w (y − f)²
  double df = undefined;  ///< Σ ∂f_i/∂y_i, the intercept included; NaN where the learner has no such formula
  Vector dual{};          ///< dual variables, where the learner has them
  std::vector<Index>
      active;  ///< what the learner's header says: columns in use, rows in the quadratic region…
};

/// What is known of a learner's dependence on y; the SIC family takes the best covariance term it allows.
enum class Dependence {
  affine,          ///< a = Ly + c: the trace term, exact for any noise law
  differentiable,  ///< almost differentiable with a formula: exact Stein divergence, Gaussian noise
  continuous,      ///< almost differentiable without a formula: Monte-Carlo divergence or bootstrap
  discontinuous    ///< Stein's identity fails: bootstrap only
};

/// First and second derivatives of a penalised cost at a fit: its scores s_k = −2 √w_k ψ_k φ̃_k and G, half of its Hessian.
/// All NaN where G is singular or the minimiser is one of several.
struct CostCurvature {
  double loss = undefined;            ///< Σ w l(u)
  double penalty = undefined;         ///< λ‖a‖²
  double score_products = undefined;  ///< Σ_{|i|≤M} Σ_k w ψ_k ψ_{k+i} φ̃_kᵀG⁻¹φ̃_{k+i}
  double mean_score = undefined;      ///< λ² aᵀG⁻¹a, the square of Σ w ψ φ̃ in the same metric
  double m1 = undefined;              ///< tr HJ⁻¹ = Σ ∂f_i/∂y_i
  double left_squared = undefined;    ///< n − 2m₁ + tr (HJ⁻¹)²
  double log_det_ratio = undefined;   ///< log |G|/λ^p, log n of the constant included; +∞ at λ = 0
};

/// A learner prepared on one design that solves for any y: the common face of lasso, Huber, SVR and black boxes.
/// Solvers are const and may be called from several threads at once; the same call gives the same bits.
class PathSolver {
 public:
  virtual ~PathSolver() = default;
  virtual std::string_view name() const = 0;
  virtual Dependence dependence() const = 0;
  /// Whether PathFit::active lists rows rather than columns.
  virtual bool active_rows() const { return false; }

  /// Fits at every λ (ascending), each warm-started from its neighbour.
  virtual std::vector<PathFit> path(const VectorView& y, std::span<const double> lambdas) const = 0;
  /// One fit, started from another that is expected to be near (same design, another y or λ).
  virtual PathFit refit(const VectorView& y, double lambda, const PathFit& start) const = 0;

  /// tr(J M) = Σ_ki J_ki M_ik with J = ∂(coefficients; offset)/∂y at the fit and M rows × (columns + 1), the
  /// last column belonging to the offset (ignored without intercept). NaN without a formula.
  virtual double trace(const PathFit& fit, const MatrixView& m) const = 0;

  /// Leverages h_i of a learner that is least squares on y + v, v a fixed shift: deleting row i and refitting changes the
  /// residual r_i to (r_i + v_i)/(1 − h_i) − v_i. Empty where there is no such formula.
  virtual Vector leverages(double /*lambda*/) const { return {}; }
  /// The shift v; empty = 0.
  virtual Vector target_shift() const { return {}; }

  /// Whether the cost has a gradient and a Hessian, from which GEN, FPER and the evidence are made.
  virtual bool has_curvature() const { return false; }
  /// At a fit with these residuals, rows up to `lags` apart depending on each other.
  virtual CostCurvature curvature(const PathFit& /*fit*/, const Vector& /*residual*/, Index /*lags*/) const {
    return {};
  }
  /// The residual beyond which the loss is linear; ∞ for squared errors.
  virtual double loss_turn() const { return std::numeric_limits<double>::infinity(); }

  /// A grid of λ, ascending, that no sensible answer falls off; the largest gives the null model.
  virtual std::vector<double> automatic_grid(const MatrixView& y) const = 0;

  /// Held-out errors where the learner has a faster way than refitting on the other rows; empty otherwise.
  /// `statistics` are cross products per fold of [Φ | targets] if known, `target` the column of y among them.
  virtual std::optional<FoldErrors> fold_errors(const VectorView& /*y*/, std::span<const double> /*lambdas*/,
                                                const Folds&, const GramStatistics* /*statistics*/,
                                                Index /*target*/, const Progress&) const {
    return std::nullopt;
  }
};

using PathSolverPtr = std::unique_ptr<PathSolver>;

}  // namespace gnomon
