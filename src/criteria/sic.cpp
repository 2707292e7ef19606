#include "gnomon/criteria/sic.hpp"

#include "../decompose/lapack.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

Estimate function_space(const SpectralSums& s, double sigma2) {
  return {s.dx2z2 - 2 * (s.xz2 - sigma2 * s.x), quadratic_form_deviation(s.a2, s.a2z2, sigma2)};
}

/// h² − 2h = g² − 1, so the sums of the complements serve.
Estimate training(const SpectralSums& s, double sigma2, double n, double fixed, double total) {
  const double directions = n - fixed;
  return {(s.z2g2 - total + 2 * sigma2 * (s.df - fixed)) / n,
          quadratic_form_deviation(directions - 2 * s.g2 + s.g4, total - 2 * s.z2g2 + s.z2g4, sigma2) / n};
}

CriterionCurve on_points(const CriterionContext& c) {
  const Spectrum& spectrum = c.smoother.spectrum();
  const Matrix features = c.smoother.spectral_features(c.metric.points.x);
  const Matrix metric =
      lapack::product(features, true, c.metric.points.weight.asDiagonal() * features, false);
  const auto coordinates = c.smoother.decomposition().coordinates();
  require(coordinates.has_value(), "the {} strategy keeps no coordinates",
          c.smoother.decomposition().strategy());
  const Vector z = coordinates->col(c.target);
  const Index r = z.size();
  Vector inverse(r);  // the reference: least squares on the range
  for (Index i = 0; i < r; ++i)
    inverse[i] = filter_at(spectrum, c.smoother.filter(), spectrum.values[i], 0).gain;
  return at_each_lambda(c, [&](const SpectralSums& s, double sigma2, double) {
    Vector x(r);
    for (Index i = 0; i < r; ++i)
      x[i] = filter_at(spectrum, c.smoother.filter(), spectrum.values[i], s.lambda).gain;
    const Vector a = x.cwiseProduct(z), reference = inverse.cwiseProduct(z);
    const Vector ma = metric * a;
    const double trace = (metric.diagonal().array() * x.array() * inverse.array()).sum();
    const double value = ma.dot(a - 2 * reference) + 2 * sigma2 * trace;
    // The criterion is zᵀBz + const with B = XMX − XMD⁻¹ − D⁻¹MX.
    const Matrix b =
        metric.cwiseProduct(x * x.transpose() - x * inverse.transpose() - inverse * x.transpose());
    return Estimate{value, quadratic_form_deviation(b.squaredNorm(), (b * z).squaredNorm(), sigma2)};
  });
}

}  // namespace

std::optional<double> sic_constant(const Spectrum& s, Index target, double sigma2) {
  constexpr double well_conditioned = 1e-8;
  if (s.values.size() == 0 || !(s.values.minCoeff() > well_conditioned * s.top())) return std::nullopt;
  return ((s.squared.col(target).array() - sigma2) / s.values.array()).sum();
}

CriterionCurve subspace_information(const CriterionContext& c) {
  switch (c.metric.kind) {
    case Metric::Kind::points:
      return on_points(c);
    case Metric::Kind::train: {
      const double fixed = c.smoother.intercept() ? 1 : 0, total = c.smoother.total(c.target);
      return at_each_lambda(c, [&](const SpectralSums& s, double sigma2, double n) {
        return training(s, sigma2, n, fixed, total);
      });
    }
    case Metric::Kind::function_space:
      break;
  }
  auto curve = at_each_lambda(
      c, [](const SpectralSums& s, double sigma2, double) { return function_space(s, sigma2); });
  if (!c.noise.per_lambda() && c.smoother.rows() <= 2000) {
    curve.constant = sic_constant(c.smoother.spectrum(), c.target, c.noise.at(0));
  }
  return curve;
}

}  // namespace gnomon
