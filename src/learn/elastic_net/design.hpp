#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "active_set.hpp"
#include "decompose/gram_statistics.hpp"
#include "gnomon/core/types.hpp"
#include "gnomon/learn/path_solver.hpp"
#include "ridge.hpp"

namespace gnomon::detail {

/// A target about its mean: what of y the solvers see.
struct Response {
  double mean = 0;
  Vector weighted;           ///< w (y − ȳ)
  Vector cross;              ///< Φᵀ_c W y; tall designs only
  double null_deviance = 0;  ///< Σ w (y − ȳ)²
};

/// A design made ready for either engine.
struct ElasticNetDesign {
  ElasticNetDesign(SolverDesign design, double mix, double tolerance, const CentredGram* known);

  SolverDesign source;
  double mix, tolerance;
  Index n, p;
  double count;              ///< Σ w
  Vector mean;               ///< weighted means of the columns; 0 without intercept
  Vector root;               ///< √w; empty = ones
  bool wide;                 ///< rows engine
  Matrix gram;               ///< tall: Φᵀ_c W Φ_c
  std::vector<char> usable;  ///< tall: 0 for constant columns
  Matrix scaled;             ///< wide: √w Φ_c; empty if that is Φ itself

  double tau(double lambda) const { return 0.5 * lambda * mix; }
  double mu(double lambda) const { return 0.5 * lambda * (1 - mix); }
  double weight(Index i) const { return source.weight.size() ? source.weight[i] : 1; }
  /// √w Φ_c of a wide design, n × p column-major without gaps.
  const double* rows_matrix() const { return scaled.size() ? scaled.data() : source.features->data(); }

  Response respond(const VectorView& y) const;
  GramProblem problem(const Response& response) const;
  /// w (y − f) and Σ w (y − f)², from the rows.
  double residual_from_rows(const VectorView& y, const PathFit& fit, Vector& weighted) const;
  /// Φᵀ_c v of a tall design.
  Vector products(const Vector& v) const;
  /// Ridge and least squares on all rows; made on first use.
  const RidgeSpectrum& spectrum() const;

 private:
  mutable std::once_flag once_;
  mutable std::unique_ptr<const RidgeSpectrum> spectrum_;
};

/// True if the squared deviation of a column is no more than the rounding of its mean leaves.
bool is_constant(double squares, double mean, double weight);

/// λ must be finite, not negative and ascending.
void check_path(std::span<const double> lambdas);

/// The fit the solver stands at. `rss` from the cross products where they carry it.
PathFit fit_from(const ElasticNetDesign&, const Response&, const VectorView& y, double lambda, ActiveSet&);
/// τ = 0: ridge, and least squares of minimum norm at λ = 0.
PathFit ridge_fit(const ElasticNetDesign&, const Response&, const VectorView& y, double lambda);

std::vector<PathFit> gram_path(const ElasticNetDesign&, const VectorView& y, std::span<const double> lambdas);
PathFit gram_refit(const ElasticNetDesign&, const VectorView& y, double lambda, const PathFit& start);
FoldErrors gram_folds(const ElasticNetDesign&, const VectorView& y, std::span<const double> lambdas,
                      const Folds&, const GramStatistics&, Index target);

std::vector<PathFit> rows_path(const ElasticNetDesign&, const VectorView& y, std::span<const double> lambdas);
PathFit rows_refit(const ElasticNetDesign&, const VectorView& y, double lambda, const PathFit& start);
FoldErrors rows_folds(const ElasticNetDesign&, const VectorView& y, std::span<const double> lambdas,
                      const Folds&, const Progress&);

}  // namespace gnomon::detail
