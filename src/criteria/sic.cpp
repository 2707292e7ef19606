#include "gnomon/criteria/sic.hpp"

#include "../decompose/lapack.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/criteria/basic.hpp"
#include "gnomon/criteria/sic_frame.hpp"

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
  const Smoother& smoother = c.learner.smoother();
  const Spectrum& spectrum = smoother.spectrum();
  const Matrix features = smoother.spectral_features(c.metric.points.x);
  const Matrix metric =
      lapack::product(features, true, c.metric.points.weight.asDiagonal() * features, false);
  const auto coordinates = smoother.decomposition().coordinates();
  require(coordinates.has_value(), "the {} strategy keeps no coordinates",
          smoother.decomposition().strategy());
  const Vector z = coordinates->col(c.target);
  const Index r = z.size();
  Vector inverse(r);  // the reference: least squares on the range
  for (Index i = 0; i < r; ++i)
    inverse[i] = filter_at(spectrum, smoother.filter(), spectrum.values[i], 0).gain;
  return at_each_lambda(c, [&](const SpectralSums& s, double sigma2, double) {
    Vector x(r);
    for (Index i = 0; i < r; ++i)
      x[i] = filter_at(spectrum, smoother.filter(), spectrum.values[i], s.lambda).gain;
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

/// The family with a divergence, or with the bootstrap where Stein's identity fails or cannot choose.
CriterionCurve of_path(const CriterionContext& c) {
  const PathLearner& learner = *c.learner.solved();
  if (c.stein_is_blind || learner.solver().dependence() == Dependence::discontinuous)
    return bootstrap_information(c);
  const SicFrame frame(learner, c.target, c.metric);
  const auto& fits = learner.path(c.lambdas, c.target);
  CriterionCurve curve{Vector(static_cast<Index>(fits.size())), {}, {}, learner.divergence_name()};
  for (Index k = 0; k < curve.value.size(); ++k) {
    const PathFit& fit = fits[static_cast<std::size_t>(k)];
    const double df = c.sums[static_cast<std::size_t>(k)].df;
    curve.value[k] = frame.distance(fit) + 2 * c.noise.at(k) * frame.divergence(fit, df);
  }
  return curve;
}

}  // namespace

std::optional<double> sic_constant(const Spectrum& s, Index target, double sigma2) {
  constexpr double well_conditioned = 1e-8;
  if (s.values.size() == 0 || !(s.values.minCoeff() > well_conditioned * s.top())) return std::nullopt;
  return ((s.squared.col(target).array() - sigma2) / s.values.array()).sum();
}

std::string sic_undefined(const Learner& learner, const Metric& metric) {
  const bool on_points = metric.kind == Metric::Kind::points;
  if (metric.kind == Metric::Kind::function_space) {
    if (!learner.is_kernel())
      return "the function-space metric belongs to kernels; use --metric train, test or a CSV of inputs";
    if (!learner.linear()) return "the function-space metric is made for ridge penalties; use --metric train";
  }
  if (on_points && !learner.linear() && learner.is_kernel())
    return "least squares on a kernel matrix is no usable reference away from the training inputs; use "
           "--metric train "
           "or a --basis";
  if (on_points && learner.solved() && !learner.solved()->has_inputs())
    return "a black box is known at the training rows only; use --metric train";
  return "";
}

CriterionCurve subspace_information(const CriterionContext& c) {
  if (c.learner.solved()) return of_path(c);
  switch (c.metric.kind) {
    case Metric::Kind::points:
      return on_points(c);
    case Metric::Kind::train: {
      const double fixed = c.learner.intercept() ? 1 : 0, total = c.learner.total(c.target);
      return at_each_lambda(c, [&](const SpectralSums& s, double sigma2, double n) {
        return training(s, sigma2, n, fixed, total);
      });
    }
    case Metric::Kind::function_space:
      break;
  }
  auto curve = at_each_lambda(
      c, [](const SpectralSums& s, double sigma2, double) { return function_space(s, sigma2); });
  if (!c.noise.per_lambda() && c.learner.rows() <= 2000) {
    curve.constant = sic_constant(c.learner.smoother().spectrum(), c.target, c.noise.at(0));
  }
  return curve;
}

}  // namespace gnomon
