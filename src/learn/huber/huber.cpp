#include "gnomon/learn/huber.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"
#include "newton.hpp"

namespace gnomon {

Huber::Huber(const SolverDesign& design, HuberOptions options)
    : design_(std::make_shared<WhitenedDesign>(design)), options_(options) {
  require(std::isfinite(options_.tau) && options_.tau > 0,
          "huber: τ = {} is not allowed; it must be finite and positive", options_.tau);
}

Huber::~Huber() = default;

std::vector<PathFit> Huber::path(const VectorView& y, std::span<const double> lambdas) const {
  check_targets(*design_, y, name());
  std::vector<PathFit> fits(lambdas.size());
  HuberNewton newton(*design_, y, options_.tau);
  for (std::size_t k = lambdas.size(); k-- > 0;) {
    check_lambda(lambdas[k], name());
    if (k + 1 == lambdas.size()) newton.start_cold(lambdas[k]);
    newton.solve(lambdas[k]);
    fits[k] = newton.fit();
  }
  return fits;
}

PathFit Huber::refit(const VectorView& y, double lambda, const PathFit& start) const {
  check_targets(*design_, y, name());
  check_lambda(lambda, name());
  HuberNewton newton(*design_, y, options_.tau);
  if (start.coefficients.size() == 0 && design_->columns() > 0) {
    newton.start_cold(lambda);
  } else {
    require(start.coefficients.size() == design_->columns(),
            "huber: a start of {} coefficients for a design of {} columns", start.coefficients.size(),
            design_->columns());
    newton.start_from(start);
  }
  newton.solve(lambda);
  return newton.fit();
}

double Huber::trace(const PathFit& fit, const MatrixView& m) const {
  const WhitenedDesign& b = *design_;
  const Matrix pulled = b.pull_back(m, fit.active);
  std::vector<char> inside(static_cast<std::size_t>(b.rows()), 0);
  for (const Index i : fit.active) inside[static_cast<std::size_t>(i)] = 1;
  HuberHessian hessian(b);
  hessian.move_to(inside);
  hessian.factor(fit.lambda);
  constexpr double accurate = 1e-3;  // least pivot from which the Cholesky factor loses next to nothing
  if (!(hessian.least_pivot() > accurate)) return HuberRoot(b, fit.active, fit.lambda).trace(pulled);
  Matrix rows(b.size(), pulled.rows());
  for (Index k = 0; k < rows.cols(); ++k) {
    const Index i = fit.active[static_cast<std::size_t>(k)];
    rows.col(k) = b.weight()[i] * Eigen::Map<const Vector>(b.row(i), b.size());
  }
  return hessian.trace_of_solve(lapack::product(rows, false, pulled, false));
}

std::vector<double> Huber::automatic_grid(const MatrixView& y) const {
  // Regularization is felt where λ‖a‖ matches the slope of the loss, which τ bounds: it sets in lower by τ over
  // the spread of y.
  double low = 1;
  const double total = design_->weight().sum();
  for (Index k = 0; k < y.cols(); ++k) {
    const double centre = design_->intercept() ? design_->weight().dot(y.col(k)) / total : 0;
    const double spread =
        std::sqrt(design_->weight().dot((y.col(k).array() - centre).square().matrix()) / total);
    if (spread > options_.tau) low = std::min(low, options_.tau / spread);
  }
  return design_->grid(low);
}

namespace {

/// The value up to which half of the weight lies; between two values their mean.
double weighted_median(const Vector& value, const Vector& weight) {
  std::vector<Index> order(static_cast<std::size_t>(value.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return value[a] < value[b]; });
  const double half = weight.sum() / 2;
  double below = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    below += weight[order[k]];
    if (below > half) return value[order[k]];
    if (below == half && k + 1 < order.size()) return (value[order[k]] + value[order[k + 1]]) / 2;
  }
  return value[order.back()];
}

/// A standard deviation by absolute deviations from the median; 0 only if all residuals are equal, up to the
/// rounding of numbers of size `magnitude`.
double robust_scale(const Vector& residual, const Vector& weight, double magnitude) {
  const Vector deviation = (residual.array() - weighted_median(residual, weight)).abs();
  const double rounding = 1e-12 * magnitude, median = weighted_median(deviation, weight) / 0.6745;
  if (median > rounding) return median;
  const double mean = 1.2533 * weight.dot(deviation) / weight.sum();
  return mean > rounding ? mean : 0;
}

}  // namespace

double automatic_tau(const SolverDesign& design, const VectorView& y) {
  constexpr double efficient = 1.345;
  const WhitenedDesign b(design);
  check_targets(b, y, "huber");
  // The ridge that leaves half of the count as degrees of freedom, if the design has more.
  const double count = design.count(), allowed = std::max(count / 2, design.intercept ? 1.0 : 0.5);
  double lambda = 0;
  if (b.rank() > 0 && b.ridge_df(0) > allowed) {
    double lo = -40, hi = 40;  // log of λ/s₁²
    const double top = b.singular()[0] * b.singular()[0];
    for (int k = 0; k < 60; ++k) {
      const double middle = (lo + hi) / 2;
      (b.ridge_df(top * std::exp(middle)) > allowed ? lo : hi) = middle;
    }
    lambda = top * std::exp(hi);
  }
  const double df = b.ridge_df(lambda);
  const double correction = count > df ? std::sqrt(count / (count - df)) : 1;
  const double magnitude = y.cwiseAbs().maxCoeff();
  // Least squares first: its scale is too large under outliers, and falls from fit to fit.
  Vector residual;
  {
    HuberNewton newton(b, y, 2 * magnitude + 1);
    newton.start_cold(lambda);
    residual = newton.residual();
  }
  double scale = robust_scale(residual, b.weight(), magnitude) * correction;
  for (int k = 0; k < 20 && scale > 0; ++k) {
    HuberNewton newton(b, y, efficient * scale);
    newton.start_cold(lambda);
    newton.solve(lambda);
    const double next = robust_scale(newton.residual(), b.weight(), magnitude) * correction;
    if (!(next > 0)) break;
    const bool settled = std::fabs(next - scale) <= 1e-6 * scale;
    scale = next;
    if (settled) break;
  }
  return scale > 0 ? efficient * scale : 1;
}

}  // namespace gnomon
