#include "metric.hpp"

#include <cblas.h>

#include <cmath>
#include <complex>
#include <numbers>

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

const NormalDensity* normal_of(const Density& density) { return std::get_if<NormalDensity>(&density); }

/// E x^k for k = 0 … highest. Normal: M_k = μM_{k−1} + (k−1)s²M_{k−2}; uniform on m ± h: Σ_{j even} C(k,j) m^{k−j} h^j/(j+1).
/// All terms of a sum have one sign.
Vector moments(const Density& density, Index highest) {
  Vector m = Vector::Ones(highest + 1);
  if (const auto* normal = normal_of(density)) {
    for (Index k = 1; k <= highest; ++k)
      m[k] = normal->mean * m[k - 1] +
             (k > 1 ? static_cast<double>(k - 1) * normal->sd * normal->sd * m[k - 2] : 0);
    return m;
  }
  const auto& [a, b] = std::get<UniformDensity>(density);
  const double middle = a + (b - a) / 2, half = (b - a) / 2;
  for (Index k = 1; k <= highest; ++k) {
    double binomial = 1;
    m[k] = 0;
    for (Index j = 0; j <= k; ++j) {
      if (j % 2 == 0)
        m[k] += binomial * std::pow(middle, k - j) * std::pow(half, j) / static_cast<double>(j + 1);
      binomial *= static_cast<double>(k - j) / static_cast<double>(j + 1);
    }
  }
  return m;
}

/// E exp(ikx), the characteristic function.
std::complex<double> mean_wave(const Density& density, double k) {
  if (const auto* normal = normal_of(density))
    return std::polar(std::exp(-0.5 * k * k * normal->sd * normal->sd), k * normal->mean);
  const auto& [a, b] = std::get<UniformDensity>(density);
  const double turn = k * (b - a) / 2;
  return (turn == 0 ? 1 : std::sin(turn) / turn) *
         std::complex<double>(std::cos(k * (a + b) / 2), std::sin(k * (a + b) / 2));
}

/// erf v − erf u for u ≤ v, whose tails do not cancel.
double erf_difference(double u, double v) {
  if (u > 0) return std::erfc(u) - std::erfc(v);
  if (v < 0) return std::erfc(-v) - std::erfc(-u);
  return std::erf(v) - std::erf(u);
}

/// E exp(−(x − c)²/w²).
double mean_bump(const Density& density, double c, double w) {
  if (const auto* normal = normal_of(density)) {
    const double scale = w * w + 2 * normal->sd * normal->sd;
    return w / std::sqrt(scale) * std::exp(-(c - normal->mean) * (c - normal->mean) / scale);
  }
  const auto& [a, b] = std::get<UniformDensity>(density);
  return 0.5 * std::sqrt(std::numbers::pi) * w / (b - a) * erf_difference((a - c) / w, (b - c) / w);
}

}  // namespace

Matrix polynomial_metric(Index degree, const Density& density) {
  const Vector m = moments(density, 2 * degree);
  Matrix u(degree + 1, degree + 1);
  for (Index i = 0; i <= degree; ++i) u.row(i) = m.segment(i, degree + 1).transpose();
  return u;
}

Matrix trigonometric_metric(Index order, const Density& density) {
  // With z_k = E exp(ikx): 2 cos j cos k = Re(z_{j−k} + z_{j+k}), 2 sin j sin k = Re(z_{j−k} − z_{j+k}), 2 sin j cos k = Im(z_{j+k} +
  // z_{j−k}). Function 2k−1 is sin kx and 2k is cos kx, function 0 = cos 0x.
  Matrix u(2 * order + 1, 2 * order + 1);
  for (Index i = 0; i < u.rows(); ++i) {
    for (Index l = 0; l < u.cols(); ++l) {
      const bool sine_i = i % 2 == 1, sine_l = l % 2 == 1;
      const auto j = static_cast<double>((i + 1) / 2), k = static_cast<double>((l + 1) / 2);
      const auto sum = mean_wave(density, j + k), difference = mean_wave(density, j - k);
      if (sine_i == sine_l)
        u(i, l) = 0.5 * (sine_i ? difference - sum : difference + sum).real();
      else
        u(i, l) = 0.5 * (sine_i ? sum + difference : sum - difference).imag();
    }
  }
  return u;
}

Matrix gaussian_metric(const VectorView& centres, double width, const Density& density) {
  Matrix u(centres.size(), centres.size());
  for (Index i = 0; i < u.rows(); ++i) {
    for (Index j = 0; j < u.cols(); ++j) {
      const double apart = (centres[i] - centres[j]) / (2 * width);
      u(i, j) = std::exp(-apart * apart) * mean_bump(density, (centres[i] + centres[j]) / 2, width);
    }
  }
  return u;
}

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
