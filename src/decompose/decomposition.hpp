#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "gnomon/data/folds.hpp"
#include "gnomon/decompose/spectrum.hpp"
#include "gram_statistics.hpp"
#include "leave_one_out_sums.hpp"
#include "rotated_folds.hpp"

namespace gnomon {

/// Weighted least squares in the coordinates every strategy works in: rows scaled by √w, so that weight k is
/// the row repeated k times; `constant` is the unit vector √w/‖√w‖ of the intercept, empty without one.
struct WeightedRows {
  Vector root_weight;  ///< √w, length n
  Vector constant;     ///< length n or 0
  double count = 0;    ///< Σ w

  WeightedRows(Index n, const VectorView& weight, bool intercept);
  /// √w ∘ y with the constant projected out.
  Matrix targets(const MatrixView& y) const;
};

/// A block of rows: residuals of the fit and leverage complements 1 − H̃_ii in weighted coordinates, rows × λ.
using RowVisitor = std::function<void(Index first_row, const Matrix& residual, const Matrix& complement)>;

/// u/w, the share of a row's weight that leave-one-out takes away.
Vector left_out_share(const Vector& root_weight);

/// How the spectrum was obtained, and what can be done with it. One design, all λ, all targets.
class Decomposition {
 public:
  explicit Decomposition(WeightedRows rows) : rows_(std::move(rows)) {}
  virtual ~Decomposition() = default;
  virtual std::string_view strategy() const = 0;
  /// Eigenvalues and squared coordinates. Free, or O(n²) on first use for the tridiagonal strategy.
  virtual const Spectrum& spectrum() const = 0;
  /// The sums that trace criteria are made of; O(rank) per λ.
  virtual std::vector<SpectralSums> sums(const Filter& filter, std::span<const double> lambdas,
                                         Index target) const {
    return spectral_sums(spectrum(), filter, lambdas, target);
  }
  virtual SpectrumScales scales() const { return spectrum_scales(spectrum()); }
  /// Rows can be visited at every λ above this one; below, the Gram is decomposed once more, several times as dear.
  virtual double least_cheap_lambda() const { return 0; }
  /// Coefficients of the fit: of the kernel expansion in weighted coordinates (length n), or of the design's
  /// columns.
  virtual Vector coefficients(const Filter& filter, double lambda, Index target) const = 0;
  /// Visits all rows in blocks, in order. O(n·rank) per λ.
  virtual void visit_rows(const Filter& filter, std::span<const double> lambdas, Index target,
                          const RowVisitor& visit) const = 0;
  /// Leave-one-out sums along the path, by visiting the rows; closed form, for filters with closed-form
  /// deletion.
  virtual LeaveOneOutSums leave_one_out(const Filter& filter, std::span<const double> lambdas,
                                        Index target) const;
  /// Rows first … first+count−1 of the orthonormal vectors Q of the weighted sample space, one column per eigenvalue:
  /// H̃ = Q diag(h) Qᵀ + constant constantᵀ. Empty where the strategy keeps none.
  virtual std::optional<Matrix> vector_rows(Index /*first*/, Index /*count*/) const { return std::nullopt; }
  /// Σ_{l=1…lags} Σ_k r_k r_{k+l} H̃_{k,k+l} at each λ, r the residuals in weighted coordinates: products of rows up to
  /// `lags` apart through the hat matrix, the constant included. O(lags·n·rank) per λ.
  virtual Vector lagged_products(const Filter& filter, std::span<const double> lambdas, Index target,
                                 Index lags) const;
  /// Maps spectral coordinates a to coefficients: the matrix B with coefficients = B a (rows as in
  /// coefficients()). Not every strategy has it; empty then.
  virtual std::optional<Matrix> basis() const { return std::nullopt; }
  /// Signed coordinates z (rank × targets), where basis() exists.
  virtual std::optional<Matrix> coordinates() const { return std::nullopt; }
  /// The rotation to a band or tridiagonal form with the first target on its first column, where the strategy keeps one; it lives as
  /// long as this.
  virtual std::optional<RotatedRows> rotated_rows() const { return std::nullopt; }
  /// Cross products per fold, if they were accumulated for exactly these folds; null otherwise.
  virtual const GramStatistics* fold_statistics(const Folds&) const { return nullptr; }
  /// Bound on the trace norm of what a low-rank strategy left out of the Gram; 0 for the exact ones.
  virtual double gram_error_bound() const { return 0; }
  /// Eigenvalues up to here are the rounding of a kernel that is nearly constant over the rows, and stand as 0; 0 for other kernels.
  virtual double lost_below() const { return 0; }
  /// The same design with other targets, O(n·rank) each: nothing is decomposed again, and vectors are shared. Null where
  /// the strategy has seen the targets.
  virtual std::unique_ptr<Decomposition> with_targets(const MatrixView& /*y*/) const { return nullptr; }
  const WeightedRows& weighted_rows() const { return rows_; }

 protected:
  WeightedRows rows_;
};

using DecompositionPtr = std::unique_ptr<Decomposition>;

/// Eigenvectors of a weighted Gram K̃ = √W K √W (not centred). O(n³); two n×n matrices.
DecompositionPtr decompose_gram(Matrix&& gram, const WeightedRows& rows, const MatrixView& y,
                                double range_tolerance);

/// The same from a factor K̃ ≈ L Lᵀ with few columns. O(n r²).
DecompositionPtr decompose_factor(Matrix&& factor, double error_bound, const WeightedRows& rows,
                                  const MatrixView& y, double range_tolerance);

/// Singular vectors of a weighted design √W Φ (not centred). O(n p min(n,p)).
DecompositionPtr decompose_design(Matrix&& design, const WeightedRows& rows, const MatrixView& y);

/// What will be asked of T. For `leave_one_out` the rotation is kept (the coefficient penalty gets the full strategy instead), for rows
/// `held_out` by folds as well, as far as a band if that is cheaper. `function_space`: sums over the range of a singular Gram, which take its
/// eigenvalues; else they are undefined there.
struct TridiagonalNeeds {
  bool leave_one_out = false, held_out = false, function_space = false;
};

/// T of K̃ with y rotated onto e₁; no eigenvectors. Serves filters that are shifted solves, and one target.
/// `rebuild` makes the weighted Gram again where the fit's coefficients need it.
DecompositionPtr decompose_tridiagonal(Matrix&& gram, const WeightedRows& rows, const MatrixView& y,
                                       double range_tolerance, const Filter& filter,
                                       const TridiagonalNeeds& needs, std::function<Matrix()> rebuild);

/// p×p Gram statistics of a tall design, which is kept (not copied) for predictions and leave-one-out. O(n
/// p²) at matrix-product speed. Falls back to an orthogonal factorisation when squaring the design loses a
/// direction.
/// `folds` (empty = one) splits the statistics for cross-validation; the total is theirs.
DecompositionPtr decompose_tall(std::shared_ptr<const RowBlocks> design, const WeightedRows& rows,
                                const MatrixView& y, const Folds& folds);

}  // namespace gnomon
