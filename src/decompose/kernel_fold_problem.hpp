#pragma once

#include <span>
#include <vector>

#include "kernel_folds.hpp"

namespace gnomon::detail {

/// What one fold trains on and is judged by. Training rows of zero weight are left out: they constrain
/// nothing.
struct KernelFold {
  std::vector<Index> train, test;
  Vector root;       // √w of the training rows
  Vector direction;  // root/‖root‖, projected out when there is an intercept
  Vector target;     // ỹ = P S y; exactly 0 when y is constant (or 0) on the training rows up to rounding
  double y_mean = 0, train_weight = 0, test_weight = 0;
};

/// The checked request shared by the Krylov, dense and block methods.
struct KernelFoldProblem {
  const double* gram = nullptr;  // null where a known rotation is asked first
  Index stride = 0, n = 0;
  VectorView y;
  Vector weight;
  std::vector<KernelFold> folds;
  std::span<const double> lambdas;
  KernelFoldOptions options;

  void use_gram(const MatrixView& gram);
  FoldErrors empty_errors() const;
  /// Of column i of K, or of K C K.
  double diagonal(Index i) const;
  /// √C, under squared_gram; ones without centres.
  Vector centre_roots() const;
  /// The least λ that an iteration or a rotation of K C K serves: squaring has lost what is below a part ε of the largest eigenvalue,
  /// and errors grow as it over λ. The factor has it still.
  static double least_squared_lambda(Index n, double largest) {
    return 1e7 * static_cast<double>(n) * machine_epsilon * largest;
  }
  /// Σ w (y − ȳ_train − f)² over the fold's held-out rows for each column of f (held-out rows × λ, already
  /// centred).
  void score(const KernelFold& fold, const double* predictions, Index columns, double* sums) const;
};

/// Without a Gram matrix as yet.
KernelFoldProblem kernel_fold_problem(const VectorView& y, const VectorView& weight, const Folds& folds,
                                      std::span<const double> lambdas, const KernelFoldOptions& options);

/// Weighted mean over training rows of k(·, x) and projection of a symmetric matrix (lower triangle, in
/// place).
void project_out(Matrix& a, const Vector& direction);

/// Errors of the chosen λ (indices into problem.lambdas) of every fold by per-fold eigendecompositions.
void dense_fold_errors(const KernelFoldProblem& problem, std::span<const Index> which,
                       const SpectralGain& gain, const Progress& progress, FoldErrors& errors);

/// The same for Tikhonov from one rotation of all rows, see rotated_fold_residuals. Needs λ above n·eps·d_max; returns the indices
/// it leaves undone because they are not.
std::vector<Index> block_fold_errors(const KernelFoldProblem& problem, std::span<const Index> which,
                                     const Progress& progress, FoldErrors& errors);

}  // namespace gnomon::detail
