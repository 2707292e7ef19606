#pragma once

#include <span>
#include <vector>

#include "data/row_blocks.hpp"
#include "gnomon/decompose/centred_gram.hpp"
#include "gnomon/decompose/fold_errors.hpp"

namespace gnomon {

/// Sufficient statistics of linear least squares, one set per fold, in one pass over blocks of rows: enough
/// for the whole regularization path of every fold without going back to the data.
///
/// Moments are accumulated about a provisional centre (the mean of the first block's leading rows), so that
/// columns with a large mean keep their digits. Sums have a fixed order: the number of threads never changes
/// an answer. Cost: n (p+q+1)² once; memory (p+q+1)² per fold and a few panels of rows.
class GramStatistics {
 public:
  GramStatistics(Index inputs, Index targets, int folds);
  /// From sums Σ w v vᵀ, v = [x−c | y−c | 1], of every fold (upper triangles), and its rows of positive weight.
  static GramStatistics from_moments(Index inputs, Vector centre, std::vector<Matrix> moments,
                                     std::vector<Index> rows);
  /// The mean of the leading rows of [x | y].
  static Vector provisional_centre(const MatrixView& x, const MatrixView& y);

  /// Adds rows [x | y] with their weights (empty = ones) and folds. Rows of zero weight count for nothing.
  void add(const MatrixView& x, const MatrixView& y, const VectorView& weight,
           std::span<const int> fold_of_row);
  /// The same of rows that may have to be made.
  void add(const RowBlocks& x, const MatrixView& y, const VectorView& weight,
           std::span<const int> fold_of_row);
  /// Adds the statistics of other rows with the same columns and folds.
  void merge(const GramStatistics& other);

  Index inputs() const { return inputs_; }
  Index targets() const { return targets_; }
  int folds() const { return static_cast<int>(moments_.size()); }
  Index rows(int fold) const { return rows_[static_cast<std::size_t>(fold)]; }
  double weight(int fold) const;

  CentredGram total(bool intercept = true) const;
  /// Of all rows about given means.
  CentredGram total_about(const Vector& x_mean, const Vector& y_mean) const;
  /// Of all rows but the fold's: what the fold trains on.
  CentredGram without(int fold, bool intercept = true) const;
  /// Of the fold's rows about given means, those of its training rows: what the fold is judged by.
  CentredGram held_out(int fold, const Vector& x_mean, const Vector& y_mean) const;

 private:
  Index width() const { return inputs_ + targets_ + 1; }
  CentredGram centred(const Matrix& moments, Index rows, bool intercept) const;
  CentredGram about(const Matrix& moments, Index rows, const Vector& point) const;
  Vector point(const Vector& x_mean, const Vector& y_mean) const;
  Index all_rows() const;
  void check_fold(int fold) const;
  void check_rows(Index rows, Index columns, const MatrixView& y, const VectorView& weight,
                  std::span<const int> fold_of_row) const;
  /// Rows where they lie, or from a source.
  void add_inputs(const double* x, Index stride, const RowBlocks* source, const MatrixView& y,
                  const VectorView& weight, std::span<const int> fold_of_row);
  void update_total();

  Index inputs_, targets_;
  Vector centre_;                // of [x | y]; empty until the first rows come
  std::vector<Matrix> moments_;  // per fold Σ w v vᵀ, v = [x−c | y−c | 1], upper triangle
  Matrix total_;                 // their sum
  std::vector<Index> rows_;
};

/// Held-out errors of ridge regression min Σ_train w (xᵀβ + b − y)² + λ‖β‖² for all λ and folds of one
/// target, from the statistics alone; `gain` replaces the Tikhonov filter 1/(d+λ) on the eigenvalues d of the
/// training cross products. Tikhonov: one Krylov space per fold where that converges to 1e-12 in at most p/8
/// steps (well conditioned data, large λ); else xᵀy is rotated to the first axis and the cross products made
/// tridiagonal, and every further λ costs O(p) plus two products with p×λ matrices. For λ ≤ p·eps·d_max
/// eigenvalues d ≤ p·eps·d_max are dropped.
///
/// Σ w e² = yy − 2βᵀxy + βᵀxxβ cancels when the fit is nearly perfect: error_estimate is the rounding error
/// so caused, relative to the pooled sums. Where the sums are below 1e-10 of their terms the method says
/// "cancellation": compute residuals from the rows. Cost per fold: at most 4/3 p³ + 4 p² lambdas (a gain: 9
/// p³).
FoldErrors gram_fold_errors(const GramStatistics& statistics, Index target, std::span<const double> lambdas,
                            bool intercept, const SpectralGain& gain = {});

/// Coefficients (p × lambdas) of the path for given cross products: V diag(x(d)) Vᵀ xy. Empty gain =
/// Tikhonov.
Matrix gram_coefficients(const MatrixView& xx, const VectorView& xy, std::span<const double> lambdas,
                         const SpectralGain& gain = {});

}  // namespace gnomon
