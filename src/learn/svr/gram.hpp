#pragma once

#include <memory>
#include <span>

#include "gnomon/core/types.hpp"

namespace gnomon::svr {

/// K of the dual problem: a given Gram, ΦΦᵀ formed once, or ΦΦᵀ left as a product when Φ is tall.
///
/// With an intercept a basis may be taken about its column means: since Σβ = 0 nothing changes but the offset, and where the
/// inputs lie costs no digits. A given Gram has lost them already.
class Gram {
 public:
  Gram(std::shared_ptr<const Matrix> features, bool kernel, bool centre);

  Index rows() const { return features_->rows(); }
  bool factored() const { return !gram_; }
  /// Rows of the tall basis as contiguous columns: p × n. Only where `factored()`.
  const Matrix& basis_rows() const { return rows_; }
  const Vector& diagonal() const { return diagonal_; }
  /// What was taken off the columns of a basis, empty where nothing was: Kβ + b is Φ·coefficients() + b − centre()·coefficients().
  const Vector& centre() const { return centre_; }

  double entry(Index i, Index j) const;
  /// K[which, i].
  void column(Index i, std::span<const Index> which, double* out) const;
  /// K[which, which], both triangles.
  Matrix block(std::span<const Index> which) const;
  /// out += Σ_k value_k K[:, which_k].
  void add_columns(std::span<const Index> which, const double* value, double* out) const;
  /// K β, touching only the columns where β ≠ 0.
  Vector times(const VectorView& beta) const;
  /// What multiplies the features: β for a kernel, Φᵀβ for a basis.
  Vector coefficients(const VectorView& beta) const;
  /// The basis rows of `which`, as rows. Only for a basis.
  Matrix basis(std::span<const Index> which) const;

 private:
  std::shared_ptr<const Matrix> features_, gram_;
  bool kernel_;
  Matrix rows_;
  Vector diagonal_, centre_;
};

}  // namespace gnomon::svr
