#pragma once

#include <memory>

#include "gnomon/learn/path_solver.hpp"

namespace gnomon {

struct ElasticNetOptions {
  double mix = 1;            ///< share of the ℓ1 penalty: 1 = lasso, 0 = ridge
  double tolerance = 1e-10;  ///< `converged` means a duality gap of at most this times Σ w (y − ȳ)²
};

namespace detail {
struct ElasticNetDesign;
}

/// Elastic net
///   min over a, b of  Σ w_i (y_i − b − φ_iᵀa)² + λ (mix ‖a‖₁ + (1−mix)/2 ‖a‖²),
/// the intercept b unpenalised and optional; mix = 1 is the lasso, with threshold λ/2. scikit-learn
/// minimises the same with alpha = λ/(2n), l1_ratio = mix; so does glmnet for the lasso, while for mix < 1 it divides
/// the quadratic part by the standard deviation of y.
///
/// Write τ = λ mix/2, μ = λ(1−mix)/2, g = Φᵀ_c W r − μa with centred features Φ_c and residual r. Optimal iff
/// g_j = τ sign a_j on the active columns and |g_j| ≤ τ elsewhere. The certificate `gap` is F − D(v) for the
/// dual D(v) = 2vᵀy − ‖v‖² of the lasso on the augmented data (Φ_c; √μ I), (y; 0), at v = s·(r; −√μ a) scaled
/// into |Φᵀv| ≤ τ; for λ mix = 0 it is gᵀ(G + μI)⁺g, exact for a quadratic. G = Φᵀ_c W Φ_c.
///
/// Two engines, by size. Tall: everything from G, never O(rows) per λ, unless the residual sum is so small that
/// it must be taken from the rows. Wide: cross products of a working set of columns that grows
/// by those that violate optimality; all other columns are checked for several λ and all folds in one product
/// with Φ. In both the problem on the columns at hand is solved by an
/// active-set method that ends exactly, not by iterating to a limit.
///
/// `active` are the columns with a non-zero coefficient; df = tr (G_AA + μI)⁻¹G_AA, +1 for the intercept (Zou,
/// Hastie, Tibshirani, Ann. Statist. 35, 2007). `unique` is false where weight can move between columns that
/// depend on each other. λ = 0 gives the least squares solution of minimum norm.
class ElasticNet final : public PathSolver {
 public:
  /// `known`: cross products of all rows of the design, if the caller has them; spares a pass over tall data.
  explicit ElasticNet(SolverDesign design, ElasticNetOptions options = {},
                      const CentredGram* known = nullptr);
  ~ElasticNet() override;

  std::string_view name() const override;
  Dependence dependence() const override { return Dependence::differentiable; }
  std::vector<PathFit> path(const VectorView& y, std::span<const double> lambdas) const override;
  PathFit refit(const VectorView& y, double lambda, const PathFit& start) const override;
  double trace(const PathFit& fit, const MatrixView& m) const override;
  /// 100 values from λ_max = max_j 2|Φ_cᵀWy|_j/mix down to 1e-4 λ_max (more rows than columns) or 1e-2 λ_max. A
  /// mix below 1e-3 counts as 1e-3 here: ridge alone has no finite λ_max.
  std::vector<double> automatic_grid(const MatrixView& y) const override;
  /// Tall: from cross products per fold, accumulated here if not given. Wide: all folds advance together along
  /// the path. Sums that cancel are taken from the rows.
  std::optional<FoldErrors> fold_errors(const VectorView& y, std::span<const double> lambdas, const Folds&,
                                        const GramStatistics* statistics, Index target,
                                        const Progress&) const override;

 private:
  std::unique_ptr<const detail::ElasticNetDesign> design_;
};

}  // namespace gnomon
