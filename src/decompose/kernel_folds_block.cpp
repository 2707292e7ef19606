#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/team.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/decompose/spectrum.hpp"
#include "kernel_fold_problem.hpp"
#include "reflection.hpp"
#include "rotated_tridiagonal.hpp"

namespace gnomon::detail {
namespace {

/// A = S K S (or S K C K S) of all rows, both triangles.
Matrix weighted_gram(const KernelFoldProblem& p, const Vector& root) {
  Matrix a(p.n, p.n);
  for (Index c = 0; c < p.n; ++c) a.col(c) = root[c] * Eigen::Map<const Vector>(p.gram + c * p.stride, p.n);
  if (!p.options.squared_gram) return root.asDiagonal() * a;
  if (p.options.centres) a = p.centre_roots().asDiagonal() * a;
  const int n = static_cast<int>(p.n);
  Matrix squared(p.n, p.n);
  const BlasThreads shared(library_threads(p.n));
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, n, n, 1, a.data(), n, 0, squared.data(), n);
  squared.triangularView<Eigen::StrictlyUpper>() = squared.transpose();
  return squared;
}

/// The rotation of all rows, where nobody has it yet.
struct OwnRotation {
  Matrix q, band;
  double norm = 0, least_lambda = 0;

  explicit OwnRotation(const KernelFoldProblem& p) {
    const Vector root = p.weight.cwiseSqrt();
    Matrix a = weighted_gram(p, root), target = root.cwiseProduct(p.y);
    if (p.options.intercept) {
      const Reflection constant(root / root.norm());
      a = constant.compress_symmetric(std::move(a));
      target = constant.compress(target);
    }
    RotatedTridiagonal reduced(std::move(a), target.col(0), RotatedTridiagonal::for_folds(target.rows()));
    const Tridiagonal t = reduced.t();
    band = reduced.band();
    norm = reduced.norm();
    q = std::move(reduced).form_q();
    if (p.options.intercept) q = Reflection(root / root.norm()).expand(q);
    least_lambda = p.options.squared_gram ? p.least_squared_lambda(p.n, largest_eigenvalue(t))
                                          : rounding_floor(t, default_range_tolerance(p.n)).value_or(0);
  }
  RotatedRows rows() const { return {&q, &band, norm, least_lambda}; }
};

}  // namespace

std::vector<Index> block_fold_errors(const KernelFoldProblem& p, std::span<const Index> which,
                                     const Progress& progress, FoldErrors& errors) {
  if (which.empty()) return {};
  progress("reducing the Gram matrix", 0);
  std::optional<OwnRotation> own;
  if (!p.options.known) own.emplace(p);
  std::vector<double> lambdas;
  for (const Index l : which) lambdas.push_back(p.lambdas[static_cast<std::size_t>(l)]);
  std::vector<std::vector<Index>> rows;
  for (const KernelFold& fold : p.folds) rows.push_back(fold.test);
  const RotatedResiduals held_out = rotated_fold_residuals(own ? own->rows() : *p.options.known, rows,
                                                           lambdas, p.options.tolerance, progress);
  errors.error_estimate = std::max(errors.error_estimate, held_out.error_estimate);
  std::vector<Index> undone;
  for (std::size_t i = 0; i < which.size(); ++i) {
    const auto column = held_out.residual.col(static_cast<Index>(i));
    if (!column.allFinite()) undone.push_back(which[i]);
    for (std::size_t f = 0; f < rows.size(); ++f)
      errors.sums(static_cast<Index>(f), which[i]) = column(rows[f]).squaredNorm();
  }
  return undone;
}

}  // namespace gnomon::detail
