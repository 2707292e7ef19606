#include "regularized_sic.hpp"

#include <cmath>

#include "decompose/decomposition.hpp"
#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/learn/smoother.hpp"

namespace gnomon {
namespace {

/// Σ over products of the eigenfunctions at the points: the metric in the eigenbasis.
Matrix metric_at(const Smoother& smoother, const MetricPoints& points) {
  const Matrix features = smoother.spectral_features(points.x);
  return lapack::product(features, true, points.weight.asDiagonal() * features, false);
}

Vector coordinates_of(const Smoother& smoother, Index target) {
  const auto coordinates = smoother.decomposition().coordinates();
  require(coordinates.has_value(), "the {} strategy keeps no coordinates",
          smoother.decomposition().strategy());
  return coordinates->col(target);
}

Vector gains_at(const Smoother& smoother, double lambda) {
  const Spectrum& s = smoother.spectrum();
  Vector x(s.values.size());
  for (Index i = 0; i < x.size(); ++i) x[i] = filter_at(s, smoother.filter(), s.values[i], lambda).gain;
  return x;
}

/// 1/(d + γ); 0 where there is nothing to divide by, and for points outside the range of the Gram, where least squares is 0.
Vector ridge_gains(const Smoother& smoother, bool at_points, double gamma) {
  const Spectrum& s = smoother.spectrum();
  Vector r(s.values.size());
  for (Index i = 0; i < r.size(); ++i) {
    const double d = s.values[i];
    const bool counts = d > 0 && (!at_points || in_range(s, smoother.filter(), d, 0));
    r[i] = counts ? 1 / (d + gamma) : 0;
  }
  return r;
}

/// z² is weighted by own − 2·cross: own = m x², cross = m x r with m = d in function space and d²/n at the training inputs.
struct DiagonalWeights {
  double own, cross;
};
DiagonalWeights weights_in(double d, double x, double reference, double per_row) {
  const double scale = per_row > 0 ? d / per_row : 1;
  return {scale * d * x * x, scale * x * d * reference};
}
/// n for the training inputs, 0 for the function space.
double rows_of_metric(const Smoother& smoother, const Metric& metric) {
  return metric.kind == Metric::Kind::train ? smoother.count() : 0;
}

/// The degree with the least estimated squared error of SIC at the gains x.
template <class ErrorAt>
double least_error(double top, const ErrorAt& error_at) {
  double best = HUGE_VAL, at = 0;
  for (const double gamma : reference_degrees(top)) {
    if (const double error = error_at(gamma); error < best) best = error, at = gamma;
  }
  return at;
}

double degree_on_points(const Smoother& smoother, Index target, const MetricPoints& points, const Vector& x,
                        double sigma2) {
  const Matrix metric = metric_at(smoother, points);
  const Vector z = coordinates_of(smoother, target), inverse = ridge_gains(smoother, true, 0);
  return least_error(smoother.spectrum().top(), [&](double gamma) {
    const Vector r = ridge_gains(smoother, true, gamma), off = inverse - r;
    const Matrix b = metric.cwiseProduct(x * x.transpose() - x * r.transpose() - r * x.transpose()),
                 c = metric.cwiseProduct(x * off.transpose() + off * x.transpose());
    return estimated_squared_error(b, c, z, sigma2);
  });
}

double degree_on_diagonal(const Smoother& smoother, Index target, const Metric& metric, const Vector& x,
                          double sigma2) {
  const Spectrum& s = smoother.spectrum();
  const double n = rows_of_metric(smoother, metric);
  const Vector z2 = s.squared.col(target);
  Vector b(x.size()), c(x.size());
  return least_error(s.top(), [&](double gamma) {
    const Vector r = ridge_gains(smoother, false, gamma);
    for (Index i = 0; i < x.size(); ++i) {
      const double d = s.values[i];
      const auto [own, cross] = weights_in(d, x[i], r[i], n);
      b[i] = own - 2 * cross;
      c[i] = 2 * gamma * cross / (d > 0 ? d : 1);  // 2 m x (1/d − r) = 2 m x r γ/d
    }
    return estimated_squared_error(b, c, z2, sigma2);
  });
}

}  // namespace

double estimated_squared_error(const Matrix& b, const Matrix& c, const Vector& z, double sigma2) {
  const double s4 = sigma2 * sigma2, b2 = b.squaredNorm(), c2 = c.squaredNorm();
  const Vector cz = c * z;
  const double bias = z.dot(cz) - sigma2 * c.trace();
  return bias * bias - 4 * sigma2 * (cz.squaredNorm() - sigma2 * c2) - 2 * s4 * c2 + 2 * s4 * b2 +
         4 * sigma2 * ((b * z).squaredNorm() - sigma2 * b2);
}

double estimated_squared_error(const Vector& b, const Vector& c, const Vector& z2, double sigma2) {
  const Vector excess = z2.array() - sigma2, bb = b.cwiseAbs2(), cc = c.cwiseAbs2();
  const double bias = c.dot(excess), s4 = sigma2 * sigma2;
  return bias * bias - 4 * sigma2 * cc.dot(excess) - 2 * s4 * cc.sum() + 2 * s4 * bb.sum() +
         4 * sigma2 * bb.dot(excess);
}

std::vector<double> reference_degrees(double top) {
  constexpr int lowest = -28, highest = 2;  // half decades below and above the largest eigenvalue
  std::vector<double> degrees{0};
  for (int k = lowest; k <= highest; ++k) degrees.push_back(top * std::pow(10, k / 2.0));
  return degrees;
}

Vector Smoother::reference_gains(Index target, const SicQuestion& question, double& gamma) const {
  const bool at_points = question.metric.kind == Metric::Kind::points;
  if (question.reference == SicReference::least_squares) return gains_at(*this, 0);
  require(!std::isnan(question.pilot_lambda), "a reference other than least squares needs a pilot λ");
  const Vector x = gains_at(*this, question.pilot_lambda);
  if (question.reference == SicReference::pilot) return x;
  double sigma2 = question.sigma2;
  if (std::isnan(sigma2)) {
    const SpectralSums at_pilot = sums({&question.pilot_lambda, 1}, target).front();
    sigma2 = at_pilot.z2g2 / at_pilot.g;
  }
  gamma = at_points ? degree_on_points(*this, target, question.metric.points, x, sigma2)
                    : degree_on_diagonal(*this, target, question.metric, x, sigma2);
  return ridge_gains(*this, at_points, gamma);
}

// aᵀMa − 2aᵀM(r∘z) + 2σ² Σ M_ii x_i r_i,  a = x∘z, M the metric of the eigenfunctions at the points: zᵀBz + const with
// B = XMX − XMR − RMX. O(rank²) per λ.
SicAccount Smoother::sic_on_points(std::span<const double> lambdas, Index target, const MetricPoints& points,
                                   const Vector& reference) const {
  const Matrix metric = metric_at(*this, points);
  const Vector z = coordinates_of(*this, target), against = reference.cwiseProduct(z);
  SicAccount out;
  for (const double lambda : lambdas) {
    const Vector x = gains_at(*this, lambda), a = x.cwiseProduct(z);
    const Matrix b =
        metric.cwiseProduct(x * x.transpose() - x * reference.transpose() - reference * x.transpose());
    SicParts p;
    p.distance = Vector(metric * a).dot(a - 2 * against);
    p.divergence = (metric.diagonal().array() * x.array() * reference.array()).sum();
    p.squares = b.squaredNorm();
    p.squared_signal = (b * z).squaredNorm();
    p.spread = metric.diagonal().dot(x.cwiseAbs2());
    out.parts.push_back(std::move(p));
  }
  return out;
}

//   function space   Σ [ d x² z² − 2 d x r (z² − σ²) ]
//   training inputs  (1/n) Σ [ h² z² − 2 h d r (z² − σ²) ]
SicAccount Smoother::sic_against(std::span<const double> lambdas, Index target, const Metric& metric,
                                 const Vector& reference) const {
  const Spectrum& s = spectrum();
  const double n = rows_of_metric(*this, metric);
  SicAccount out;
  for (const double lambda : lambdas) {
    SicParts p;
    p.distance = p.divergence = p.squares = p.squared_signal = 0;
    const Vector gains = gains_at(*this, lambda);
    for (Index i = 0; i < gains.size(); ++i) {
      const double z2 = s.squared(i, target);
      const auto [own, cross] = weights_in(s.values[i], gains[i], reference[i], n);
      const double a = own - 2 * cross;
      p.distance += a * z2;
      p.divergence += cross;
      p.squares += a * a;
      p.squared_signal += a * a * z2;
    }
    out.parts.push_back(std::move(p));
  }
  return out;
}

}  // namespace gnomon
