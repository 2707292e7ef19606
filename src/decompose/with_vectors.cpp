// The strategies that hold the vectors of the sample space: full, low-rank factor, and the SVD of a design.

#include <algorithm>
#include <cmath>

#include "decomposition.hpp"
#include "design_svd.hpp"
#include "lapack.hpp"
#include "reflection.hpp"

namespace gnomon {
namespace {

constexpr Index vector_rows_at_once = 1024;

class WithVectors final : public Decomposition {
 public:
  /// q: orthonormal columns in the weighted sample space. basis: coefficients per unit of spectral
  /// coordinate; empty if that is q itself (kernel expansions).
  WithVectors(std::string_view strategy, Matrix&& q, Vector&& values, Matrix&& basis,
              const WeightedRows& rows, const Matrix& y, double range_tolerance, double error_bound,
              bool resolved = false)
      : Decomposition(rows),
        strategy_(strategy),
        q_(std::move(q)),
        basis_(std::move(basis)),
        error_bound_(error_bound) {
    const Vector& constant = rows.constant;
    z_ = lapack::product(q_, true, y, false);
    // Twice is enough: the second projection removes what rounding left of the first.
    outside_ = y - lapack::product(q_, false, z_, false);
    const Matrix correction = lapack::product(q_, true, outside_, false);
    outside_ -= lapack::product(q_, false, correction, false);
    // A complete basis leaves nothing outside; what rounding leaves there is not residual.
    const bool complete = q_.cols() + (constant.size() ? 1 : 0) == y.rows();
    if (complete) outside_.setZero();
    spectrum_ = {std::move(values),
                 z_.cwiseAbs2(),
                 outside_.colwise().squaredNorm().transpose(),
                 rows.count,
                 constant.size() ? 1.0 : 0.0,
                 range_tolerance,
                 resolved};
    slack_ = (1 - q_.rowwise().squaredNorm().array()).matrix();
    if (constant.size()) slack_ -= constant.cwiseAbs2();
    slack_ = slack_.cwiseMax(0);
    if (complete) slack_.setZero();
  }

  std::string_view strategy() const override { return strategy_; }
  const Spectrum& spectrum() const override { return spectrum_; }
  double gram_error_bound() const override { return error_bound_; }
  std::optional<Matrix> basis() const override { return basis_.size() ? basis_ : q_; }

  std::optional<Matrix> coordinates() const override { return z_; }
  std::optional<Matrix> vector_rows(Index first, Index count) const override {
    return Matrix(q_.middleRows(first, count));
  }

  Vector coefficients(const Filter& filter, double lambda, Index target) const override {
    Matrix a = z_.col(target);
    for (Index i = 0; i < a.rows(); ++i) a(i, 0) *= value(filter, i, lambda).gain;
    return lapack::product(basis_.size() ? basis_ : q_, false, a, false);
  }

  void visit_rows(const Filter& filter, std::span<const double> lambdas, Index target,
                  const RowVisitor& visit) const override {
    const Index r = q_.cols(), m = static_cast<Index>(lambdas.size());
    Matrix g(r, m), gz(r, m);
    for (Index k = 0; k < m; ++k) {
      for (Index i = 0; i < r; ++i) {
        g(i, k) = value(filter, i, lambdas[static_cast<std::size_t>(k)]).complement;
        gz(i, k) = g(i, k) * z_(i, target);
      }
    }
    for (Index first = 0; first < q_.rows(); first += vector_rows_at_once) {
      const Index count = std::min(vector_rows_at_once, q_.rows() - first);
      const Matrix q = q_.middleRows(first, count);
      Matrix residual = lapack::product(q, false, gz, false);
      residual.colwise() += outside_.col(target).segment(first, count);
      Matrix complement = lapack::product(q.cwiseAbs2(), false, g, false);
      complement.colwise() += slack_.segment(first, count);
      visit(first, residual, complement);
    }
  }

 private:
  FilterValue value(const Filter& filter, Index i, double lambda) const {
    return filter_at(spectrum_, filter, spectrum_.values[i], lambda);
  }

  std::string_view strategy_;
  Matrix q_, basis_, z_, outside_;
  Vector slack_;
  Spectrum spectrum_;
  double error_bound_;
};

/// Drops directions whose eigenvalue is exactly nothing, so that thin bases stay thin.
Index positive_count(const Vector& values, double threshold) {
  Index r = values.size();
  while (r > 0 && !(values[r - 1] > threshold)) --r;
  return r;
}

}  // namespace

DecompositionPtr decompose_gram(Matrix&& gram, const WeightedRows& rows, const MatrixView& y,
                                double range_tolerance) {
  const bool intercept = rows.constant.size() > 0;
  lapack::SymmetricEigen eigen;
  if (intercept) {
    const Reflection reflection(rows.constant);
    eigen = lapack::symmetric_eigen(reflection.compress_symmetric(std::move(gram)));
    eigen.vectors = reflection.expand(eigen.vectors);
  } else {
    eigen = lapack::symmetric_eigen(std::move(gram));
  }
  return std::make_unique<WithVectors>("full", std::move(eigen.vectors), eigen.values.cwiseMax(0), Matrix(),
                                       rows, rows.targets(y), range_tolerance, 0);
}

DecompositionPtr decompose_factor(Matrix&& factor, double error_bound, const WeightedRows& rows,
                                  const MatrixView& y, double range_tolerance) {
  const bool intercept = rows.constant.size() > 0;
  Matrix reduced = intercept ? Reflection(rows.constant).compress(factor) : Matrix(std::move(factor));
  factor = Matrix();
  auto svd = lapack::thin_svd(std::move(reduced));
  const Index r = positive_count(svd.s, 0);
  Matrix u = svd.u.leftCols(r);
  if (intercept) u = Reflection(rows.constant).expand(u);
  return std::make_unique<WithVectors>("pivoted-cholesky", std::move(u), svd.s.head(r).cwiseAbs2(), Matrix(),
                                       rows, rows.targets(y), range_tolerance, error_bound);
}

DecompositionPtr decompose_design(Matrix&& design, const WeightedRows& rows, const MatrixView& y) {
  const bool intercept = rows.constant.size() > 0;
  const Vector before = intercept ? Vector(design.colwise().norm().transpose()) : Vector();
  Matrix reduced = intercept ? Reflection(rows.constant).compress(design) : Matrix(std::move(design));
  design = Matrix();
  lapack::ThinSvd svd = design_svd(std::move(reduced), before);
  Matrix u = intercept ? Reflection(rows.constant).expand(svd.u) : std::move(svd.u);
  Matrix basis = svd.v * svd.s.asDiagonal();
  return std::make_unique<WithVectors>("full", std::move(u), svd.s.cwiseAbs2(), std::move(basis), rows,
                                       rows.targets(y), 0, 0, true);
}

}  // namespace gnomon
