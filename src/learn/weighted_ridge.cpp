#include "gnomon/learn/weighted_ridge.hpp"

#include <cmath>

#include "../decompose/lapack.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/decompose/decomposition.hpp"
#include "gnomon/learn/additive.hpp"
#include "gnomon/learn/filters/tikhonov.hpp"
#include "gnomon/learn/held_out_moments.hpp"

namespace gnomon {
namespace {

/// From the cross products G = V diag(d) Vᵀ about the weighted means.
class FromMoments final : public PathSolver {
 public:
  FromMoments(const SolverDesign& design, const CentredGram& known, lapack::SymmetricEigen&& eigen)
      : design_(design), mean_(known.x_mean), eigen_(std::move(eigen)) {
    weight_ = design.weight.size() ? design.weight : Vector::Ones(design.rows());
  }

  std::string_view name() const override { return "iwls"; }
  Dependence dependence() const override { return Dependence::affine; }

  std::vector<PathFit> path(const VectorView& y, std::span<const double> lambdas) const override {
    const Vector weighted = weight_.cwiseProduct(y);
    const double y_mean = design_.intercept ? weighted.sum() / weight_.sum() : 0;
    const Vector xy = features_transposed(weighted - y_mean * weight_);
    const Vector rotated = eigen_.vectors.transpose() * xy;
    std::vector<PathFit> fits;
    for (const double lambda : lambdas) {
      PathFit fit;
      fit.lambda = lambda;
      fit.coefficients = eigen_.vectors * (rotated.array() / (eigen_.values.array() + lambda)).matrix();
      fit.offset = y_mean - mean_.dot(fit.coefficients);
      const Vector residual =
          y - (lapack::product(*design_.features, false, fit.coefficients, false).col(0).array() + fit.offset)
                  .matrix();
      fit.rss = weight_.dot(residual.cwiseAbs2());
      fit.objective = fit.rss + lambda * fit.coefficients.squaredNorm();
      const Vector gradient = features_transposed(weight_.cwiseProduct(residual)) - lambda * fit.coefficients;
      fit.gap = gradient.norm() / std::max(xy.norm(), 1e-300);
      fit.df = (eigen_.values.array() / (eigen_.values.array() + lambda)).sum() + (design_.intercept ? 1 : 0);
      fits.push_back(std::move(fit));
    }
    return fits;
  }
  PathFit refit(const VectorView& y, double lambda, const PathFit&) const override {
    return path(y, {&lambda, 1}).front();
  }

  /// J = (G + λI)⁻¹ Φ_cᵀV for the coefficients, vᵀ/Σv − φ̄ᵀJ for the offset.
  double trace(const PathFit& fit, const MatrixView& m) const override {
    const Index p = mean_.size();
    Matrix columns = m.leftCols(p);
    double own = 0;
    if (design_.intercept) {
      columns -= m.col(p) * mean_.transpose();
      own = weight_.dot(m.col(p)) / weight_.sum();
    }
    const Matrix paired = weight_.asDiagonal() * columns;
    Matrix inner = lapack::product(*design_.features, true, paired, false);
    if (design_.intercept) inner -= mean_ * paired.colwise().sum();
    const Matrix rotated = eigen_.vectors.transpose() * inner * eigen_.vectors;
    return (rotated.diagonal().array() / (eigen_.values.array() + fit.lambda)).sum() + own;
  }

  Vector leverages(double lambda) const override {
    Matrix centred = *design_.features;
    if (design_.intercept) centred.rowwise() -= mean_.transpose();
    const Matrix z = lapack::product(centred, false, eigen_.vectors, false);
    const Vector inverse = (eigen_.values.array() + lambda).inverse();
    Vector h = weight_.cwiseProduct(z.cwiseAbs2() * inverse);
    if (design_.intercept) h += weight_ / weight_.sum();
    return h;
  }

  std::vector<double> automatic_grid(const MatrixView&) const override { return {0}; }

 private:
  Vector features_transposed(const Vector& v) const {
    return lapack::product(*design_.features, true, v, false).col(0) - v.sum() * mean_;
  }

  SolverDesign design_;
  Vector weight_, mean_;
  lapack::SymmetricEigen eigen_;
};

class KernelRidgeSolver final : public PathSolver {
 public:
  explicit KernelRidgeSolver(const SolverDesign& design)
      : design_(design), rows_(design.rows(), design.weight, design.intercept) {}

  std::string_view name() const override { return "kernel-ridge"; }
  Dependence dependence() const override { return Dependence::affine; }

  std::vector<PathFit> path(const VectorView& y, std::span<const double> lambdas) const override {
    const DecompositionPtr decomposition = decompose(y);
    const auto sums = decomposition->sums(tikhonov, lambdas, 0);
    std::vector<PathFit> fits;
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      PathFit fit;
      fit.lambda = lambdas[k];
      fit.coefficients =
          rows_.root_weight.asDiagonal() * decomposition->coefficients(tikhonov, lambdas[k], 0);
      const Vector values = lapack::product(*design_.features, false, fit.coefficients, false).col(0);
      const Vector w = rows_.root_weight.cwiseAbs2();
      if (design_.intercept) fit.offset = w.dot(y - values) / w.sum();
      fit.rss = sums[k].z2g2;
      fit.df = sums[k].df;
      fit.objective = fit.rss + fit.lambda * fit.coefficients.dot(values);
      fit.gap = 0;
      fits.push_back(std::move(fit));
    }
    return fits;
  }
  PathFit refit(const VectorView& y, double lambda, const PathFit&) const override {
    return path(y, {&lambda, 1}).front();
  }
  double trace(const PathFit&, const MatrixView&) const override { return undefined; }
  Vector leverages(double lambda) const override {
    Vector h(design_.rows());
    decompose(Vector::Zero(design_.rows()))
        ->visit_rows(tikhonov, {&lambda, 1}, 0, [&](Index first, const Matrix&, const Matrix& complement) {
          h.segment(first, complement.rows()) = 1 - complement.col(0).array();
        });
    return h;
  }
  std::vector<double> automatic_grid(const MatrixView&) const override {
    const double top = decompose(Vector::Zero(design_.rows()))->scales().trace;
    std::vector<double> grid;
    const double last = std::ceil(std::log10(std::max(150 * top, 1e-300)));
    for (int k = 60; k >= 0; --k) grid.push_back(std::pow(10, last - k / 5.0));
    return grid;
  }

 private:
  DecompositionPtr decompose(const VectorView& y) const {
    Matrix k = rows_.root_weight.asDiagonal() * *design_.features * rows_.root_weight.asDiagonal();
    return decompose_gram(std::move(k), rows_, y, default_range_tolerance(design_.rows()));
  }

  SolverDesign design_;
  WeightedRows rows_;
};

}  // namespace

PathSolverPtr weighted_ridge(const SolverDesign& design, const CentredGram* known) {
  if (known && known->xx.rows() > 0) {
    auto eigen = lapack::symmetric_eigen(Matrix(known->xx));
    const Index p = eigen.values.size();
    if (eigen.values[p - 1] > well_conditioned_moments * eigen.values[0])
      return std::make_unique<FromMoments>(design, *known, std::move(eigen));
  }
  return std::make_unique<Additive>(design, Vector::Zero(design.rows()));
}

PathSolverPtr weighted_kernel_ridge(const SolverDesign& design) {
  return std::make_unique<KernelRidgeSolver>(design);
}

}  // namespace gnomon
