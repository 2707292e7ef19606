#include "gnomon/learn/weighted_ridge.hpp"

#include <cmath>

#include "decompose/decomposition.hpp"
#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/learn/additive.hpp"
#include "gnomon/learn/filters.hpp"
#include "moments_ridge.hpp"

namespace gnomon {
namespace {

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
  if (known) {
    if (auto ridge = MomentsRidge::make(
            design, [w = design.weight] { return w; }, *known))
      return ridge;
  }
  return std::make_unique<Additive>(design, Vector::Zero(design.rows()));
}

PathSolverPtr weighted_kernel_ridge(const SolverDesign& design) {
  return std::make_unique<KernelRidgeSolver>(design);
}

}  // namespace gnomon
