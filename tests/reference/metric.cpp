#include "metric.hpp"

#include <cblas.h>

#include <cmath>

#include "gnomon/core/error.hpp"
#include "represent/gram.hpp"

namespace gnomon::reference {
namespace {

/// scale · ΦᵀΦ, both triangles.
Matrix scaled_cross_product(MatrixView phi, double scale) {
  const Index p = phi.cols();
  Matrix product = Matrix::Zero(p, p);
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, static_cast<int>(p), static_cast<int>(phi.rows()), scale,
              phi.data(), static_cast<int>(phi.outerStride()), 0, product.data(), static_cast<int>(p));
  product.triangularView<Eigen::StrictlyUpper>() = product.transpose();
  return product;
}

Matrix metric_of_order(const BasisFunctions& basis, const Density& density, Index order) {
  const Quadrature rule = expectation_rule(density, order);
  const Matrix phi = basis(rule.nodes);
  require(phi.rows() == order && phi.allFinite(),
          "the basis gave {} rows or a value that is not finite at {} inputs", phi.rows(), order);
  return scaled_cross_product(rule.weights.cwiseSqrt().asDiagonal() * phi, 1);
}

}  // namespace

Matrix metric_from_sample(MatrixView phi_u) {
  require(phi_u.rows() > 0, "a metric cannot be formed from an empty sample: give at least one input");
  return scaled_cross_product(phi_u, 1 / static_cast<double>(phi_u.rows()));
}

Matrix metric_from_density(const BasisFunctions& basis, const Density& density) {
  constexpr Index kFirstOrder = 16, kLastOrder = 1024;
  constexpr double kTolerance = 1e-13;
  Matrix coarse = metric_of_order(basis, density, kFirstOrder);
  for (Index order = 2 * kFirstOrder; order <= kLastOrder; order *= 2) {
    Matrix fine = metric_of_order(basis, density, order);
    if ((fine - coarse).cwiseAbs().maxCoeff() <= kTolerance * fine.cwiseAbs().maxCoeff()) return fine;
    coarse = std::move(fine);
  }
  fail(
      "the metric under this density did not converge with {} quadrature nodes: use a wider or smoother "
      "basis, or a sample",
      kLastOrder);
}

Matrix polynomial_functions(VectorView x, Index degree) {
  Matrix phi = Matrix::Ones(x.size(), degree + 1);
  for (Index k = 1; k <= degree; ++k) phi.col(k) = phi.col(k - 1).cwiseProduct(x);
  return phi;
}

Matrix trigonometric_functions(VectorView x, Index order) {
  Matrix phi = Matrix::Ones(x.size(), 2 * order + 1);
  for (Index k = 1; k <= order; ++k) {
    phi.col(2 * k - 1) = (static_cast<double>(k) * x.array()).sin();
    phi.col(2 * k) = (static_cast<double>(k) * x.array()).cos();
  }
  return phi;
}

Matrix gaussian_functions(VectorView x, VectorView centres, double width) {
  return cross_gram(Gaussian{width}, x, centres);
}

}  // namespace gnomon::reference
