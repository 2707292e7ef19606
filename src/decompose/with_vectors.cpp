// The strategies that hold the vectors of the sample space: full, low-rank factor, and the SVD of a design.

#include <algorithm>
#include <cmath>
#include <mutex>

#include "decomposition.hpp"
#include "design_svd.hpp"
#include "lapack.hpp"
#include "reflection.hpp"

namespace gnomon {
namespace {

constexpr Index vector_rows_at_once = 1024;

/// What does not depend on the targets.
struct SampleVectors {
  std::string_view strategy;
  Matrix q;  ///< orthonormal columns in the weighted sample space
  Matrix
      basis;  ///< coefficients per unit of spectral coordinate; no rows if that is q itself (kernel expansions)
  Vector values;
  double range_tolerance, error_bound;
  bool resolved = false;
  double lost_below = 0;
};

/// Leverage complements 1 − H̃_ii at the λ that were asked for last, rows × λ: they belong to the design, and simulations ask
/// for them with one set of targets after the other.
struct LastComplements {
  static constexpr Index most_entries = 4'000'000;
  std::mutex lock;
  decltype(Filter::value) filter = nullptr;
  std::vector<double> lambdas;
  std::shared_ptr<const Matrix> values;
};

class WithVectors final : public Decomposition {
 public:
  WithVectors(SampleVectors&& vectors, const WeightedRows& rows, const MatrixView& y)
      : WithVectors(std::make_shared<const SampleVectors>(std::move(vectors)),
                    std::make_shared<LastComplements>(), rows, rows.targets(y)) {}

  std::string_view strategy() const override { return vectors_->strategy; }
  const Spectrum& spectrum() const override { return spectrum_; }
  double gram_error_bound() const override { return vectors_->error_bound; }
  double lost_below() const override { return vectors_->lost_below; }
  std::optional<Matrix> basis() const override { return basis_or_vectors(); }
  DecompositionPtr with_targets(const MatrixView& y) const override {
    return DecompositionPtr(new WithVectors(vectors_, complements_, rows_, rows_.targets(y)));
  }

  std::optional<Matrix> coordinates() const override { return z_; }
  std::optional<Matrix> vector_rows(Index first, Index count) const override {
    return Matrix(q().middleRows(first, count));
  }

  Vector coefficients(const Filter& filter, double lambda, Index target) const override {
    Matrix a = z_.col(target);
    for (Index i = 0; i < a.rows(); ++i) a(i, 0) *= value(filter, i, lambda).gain;
    return lapack::product(basis_or_vectors(), false, a, false);
  }

  void visit_rows(const Filter& filter, std::span<const double> lambdas, Index target,
                  const RowVisitor& visit) const override {
    const Index r = q().cols(), m = static_cast<Index>(lambdas.size());
    const Matrix g = complements_in_directions(filter, lambdas);
    const Matrix gz = z_.col(target).asDiagonal() * g;
    const std::shared_ptr<const Matrix> known = shared_complements(filter, lambdas, g);
    Matrix rows(0, r);
    for (Index first = 0; first < q().rows(); first += vector_rows_at_once) {
      const Index count = std::min(vector_rows_at_once, q().rows() - first);
      rows = q().middleRows(first, count);
      Matrix residual = lapack::product(rows, false, gz, false);
      residual.colwise() += outside_.col(target).segment(first, count);
      visit(first, residual,
            known ? Matrix(known->block(first, 0, count, m)) : complements_of_rows(rows, g, first));
    }
  }

 private:
  /// y: targets in weighted coordinates.
  WithVectors(std::shared_ptr<const SampleVectors> vectors, std::shared_ptr<LastComplements> complements,
              const WeightedRows& rows, const Matrix& y)
      : Decomposition(rows), vectors_(std::move(vectors)), complements_(std::move(complements)) {
    const Vector& constant = rows.constant;
    z_ = lapack::product(q(), true, y, false);
    // Twice is enough: the second projection removes what rounding left of the first.
    outside_ = y - lapack::product(q(), false, z_, false);
    const Matrix correction = lapack::product(q(), true, outside_, false);
    outside_ -= lapack::product(q(), false, correction, false);
    // A complete basis leaves nothing outside; what rounding leaves there is not residual.
    const bool complete = q().cols() + (constant.size() ? 1 : 0) == y.rows();
    if (complete) outside_.setZero();
    spectrum_ = {vectors_->values,
                 z_.cwiseAbs2(),
                 outside_.colwise().squaredNorm().transpose(),
                 rows.count,
                 constant.size() ? 1.0 : 0.0,
                 vectors_->range_tolerance,
                 vectors_->resolved};
    slack_ = (1 - q().rowwise().squaredNorm().array()).matrix();
    if (constant.size()) slack_ -= constant.cwiseAbs2();
    slack_ = slack_.cwiseMax(0);
    if (complete) slack_.setZero();
  }

  /// Directions × λ.
  Matrix complements_in_directions(const Filter& filter, std::span<const double> lambdas) const {
    Matrix g(q().cols(), static_cast<Index>(lambdas.size()));
    for (Index k = 0; k < g.cols(); ++k) {
      for (Index i = 0; i < g.rows(); ++i)
        g(i, k) = value(filter, i, lambdas[static_cast<std::size_t>(k)]).complement;
    }
    return g;
  }

  Matrix complements_of_rows(const Matrix& rows, const Matrix& g, Index first) const {
    Matrix complement = lapack::product(rows.cwiseAbs2(), false, g, false);
    complement.colwise() += slack_.segment(first, rows.rows());
    return complement;
  }

  /// Null where they would take too much memory.
  std::shared_ptr<const Matrix> shared_complements(const Filter& filter, std::span<const double> lambdas,
                                                   const Matrix& g) const {
    if (q().rows() * g.cols() > LastComplements::most_entries) return nullptr;
    LastComplements& last = *complements_;
    const std::lock_guard guard(last.lock);
    if (last.filter != filter.value || !std::ranges::equal(last.lambdas, lambdas)) {
      Matrix all(q().rows(), g.cols());
      for (Index first = 0; first < q().rows(); first += vector_rows_at_once) {
        const Index count = std::min(vector_rows_at_once, q().rows() - first);
        all.middleRows(first, count) = complements_of_rows(q().middleRows(first, count), g, first);
      }
      last.values = std::make_shared<const Matrix>(std::move(all));
      last.lambdas.assign(lambdas.begin(), lambdas.end());
      last.filter = filter.value;
    }
    return last.values;
  }

  const Matrix& q() const { return vectors_->q; }
  const Matrix& basis_or_vectors() const { return vectors_->basis.rows() ? vectors_->basis : vectors_->q; }
  FilterValue value(const Filter& filter, Index i, double lambda) const {
    return filter_at(spectrum_, filter, spectrum_.values[i], lambda);
  }

  std::shared_ptr<const SampleVectors> vectors_;
  std::shared_ptr<LastComplements> complements_;
  Matrix z_, outside_;
  Vector slack_;
  Spectrum spectrum_;
};

/// A kernel that hardly varies over the rows is a constant and, where that is projected out, the rounding of its entries and of the
/// projection: a few times ε times the trace, which is the size of the constant. Eigenvalues below are none.
/// Returns that bound, or 0 where it plays no part.
double drop_rounding_of_constant(Vector& values, double trace, Index rows) {
  if (values.size() == 0 || values.maxCoeff() >= trace / static_cast<double>(rows)) return 0;
  const double rounding = 16 * machine_epsilon * trace;
  values = (values.array() > rounding).select(values, 0);
  return rounding;
}

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
  const double trace = gram.trace();
  double lost_below = 0;
  lapack::SymmetricEigen eigen;
  if (intercept) {
    const Reflection reflection(rows.constant);
    eigen = lapack::symmetric_eigen(reflection.compress_symmetric(std::move(gram)));
    eigen.vectors = reflection.expand(eigen.vectors);
    lost_below = drop_rounding_of_constant(eigen.values, trace, rows.constant.size());
  } else {
    eigen = lapack::symmetric_eigen(std::move(gram));
  }
  return std::make_unique<WithVectors>(SampleVectors{"full",
                                                     std::move(eigen.vectors),
                                                     {},
                                                     eigen.values.cwiseMax(0),
                                                     range_tolerance,
                                                     0,
                                                     false,
                                                     lost_below},
                                       rows, y);
}

DecompositionPtr decompose_factor(Matrix&& factor, double error_bound, const WeightedRows& rows,
                                  const MatrixView& y, double range_tolerance) {
  const bool intercept = rows.constant.size() > 0;
  const double trace = factor.squaredNorm();
  Matrix reduced = intercept ? Reflection(rows.constant).compress(factor) : Matrix(std::move(factor));
  factor = Matrix();
  auto svd = lapack::thin_svd(std::move(reduced));
  Vector values = svd.s.cwiseAbs2();
  const double lost_below = intercept ? drop_rounding_of_constant(values, trace, rows.constant.size()) : 0;
  const Index r = positive_count(values, 0);
  Matrix u = svd.u.leftCols(r);
  if (intercept) u = Reflection(rows.constant).expand(u);
  return std::make_unique<WithVectors>(SampleVectors{"pivoted-cholesky",
                                                     std::move(u),
                                                     {},
                                                     values.head(r),
                                                     range_tolerance,
                                                     error_bound,
                                                     false,
                                                     lost_below},
                                       rows, y);
}

DecompositionPtr decompose_design(Matrix&& design, const WeightedRows& rows, const MatrixView& y) {
  const bool intercept = rows.constant.size() > 0;
  const Vector before = intercept ? Vector(design.colwise().norm().transpose()) : Vector();
  Matrix reduced = intercept ? Reflection(rows.constant).compress(design) : Matrix(std::move(design));
  design = Matrix();
  lapack::ThinSvd svd = design_svd(std::move(reduced), before);
  Matrix u = intercept ? Reflection(rows.constant).expand(svd.u) : std::move(svd.u);
  Matrix basis = svd.v * svd.s.asDiagonal();
  return std::make_unique<WithVectors>(
      SampleVectors{"full", std::move(u), std::move(basis), svd.s.cwiseAbs2(), 0, 0, true}, rows, y);
}

}  // namespace gnomon
