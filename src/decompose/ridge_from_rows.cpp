#include "ridge_from_rows.hpp"

#include <algorithm>
#include <limits>

#include "design_svd.hpp"

namespace gnomon {

RidgeFromRows ridge_from_rows(const Matrix& features, const VectorView& y, const VectorView& weight,
                              const std::vector<Index>& rows, bool intercept, std::span<const double> lambdas,
                              const SpectralGain& gain) {
  const Index n = static_cast<Index>(rows.size()), p = features.cols();
  const Vector w = weight.size() ? Vector(weight(rows)) : Vector::Ones(n), root = w.cwiseSqrt();
  Matrix design = features(rows, Eigen::all);
  Vector target = y(rows);
  RidgeFromRows fit{Vector::Zero(p), 0, Matrix::Zero(p, static_cast<Index>(lambdas.size()))};
  Vector before;
  if (intercept && n > 0) {
    before = (w.transpose() * design.cwiseAbs2()).cwiseSqrt().transpose();
    for (int pass = 0; pass < 2; ++pass) {  // the second takes out the rounding of the first
      const Vector mean = design.transpose() * w / w.sum();
      design.rowwise() -= mean.transpose();
      fit.x_mean += mean;
    }
    fit.y_mean = w.dot(target) / w.sum();
    target.array() -= fit.y_mean;
  }
  const lapack::ThinSvd svd = design_svd(root.asDiagonal() * design, before);
  const Vector z = svd.u.transpose() * root.cwiseProduct(target);
  Matrix filtered(z.size(), fit.coefficients.cols());
  for (Index k = 0; k < filtered.cols(); ++k) {
    const double lambda = lambdas[static_cast<std::size_t>(k)];
    for (Index i = 0; i < z.size(); ++i) {
      const double d = svd.s[i] * svd.s[i];
      filtered(i, k) = z[i] * svd.s[i] * (gain ? gain(d, lambda) : 1 / (d + lambda));
    }
  }
  fit.coefficients = lapack::product(svd.v, false, filtered, false);
  return fit;
}

std::vector<Index> at_rounding_level(std::span<const double> lambdas, Index rows, Index columns,
                                     double trace) {
  const double level =
      10 * static_cast<double>(std::max(rows, columns)) * std::numeric_limits<double>::epsilon() * trace;
  std::vector<Index> which;
  for (std::size_t k = 0; k < lambdas.size(); ++k)
    if (lambdas[k] <= level) which.push_back(static_cast<Index>(k));
  return which;
}

std::vector<Index> in_doubt(std::span<const double> lambdas, const CentredGram& training) {
  constexpr double clear = 1e-9;  // of the largest: seven digits are left
  const Index p = training.xx.rows();
  const auto which = at_rounding_level(lambdas, training.rows, p, training.xx.trace());
  if (which.empty() || p == 0) return {};
  // Most often a factorisation settles it, at a thirtieth of the cost: the trace is no less than the largest eigenvalue.
  Matrix shifted = training.xx, nothing(p, 1);
  shifted.diagonal().array() -= clear * training.xx.trace();
  nothing.setZero();
  if (lapack::solve_positive_definite(shifted, nothing)) return {};
  const Vector values = lapack::symmetric_eigen(Matrix(training.xx)).values;
  return values[p - 1] > clear * values[0] ? std::vector<Index>() : which;
}

}  // namespace gnomon
