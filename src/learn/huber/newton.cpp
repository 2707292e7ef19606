#include "newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gnomon/core/parallel.hpp"

namespace gnomon {
namespace {

constexpr double solved = 1e-15;    ///< gap at which rounding has the last word
constexpr double certified = 1e-9;  ///< gap up to which a fit counts as converged
constexpr double rounding = 32 * std::numeric_limits<double>::epsilon();
constexpr Index sum_lanes = 8;

struct Slope {
  double value, curvature;
};

double total(const double* sum) {
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

/// −Σ w ψ(u − tv) v and Σ_S w v².
GNOMON_HOT Slope loss_slope(const double* u, const double* v, const double* w, Index n, double t,
                            double tau) {
  double value[sum_lanes] = {}, curvature[sum_lanes] = {};
  const auto add = [&](Index i, Index k) {
    const double r = u[i] - t * v[i], c = std::min(std::max(r, -tau), tau), wv = w[i] * v[i];
    value[k] -= wv * c;
    curvature[k] += r == c ? wv * v[i] : 0.0;
  };
  const Index whole = n / sum_lanes * sum_lanes;
  for (Index i = 0; i < whole; i += sum_lanes)
    for (Index k = 0; k < sum_lanes; ++k) add(i + k, k);
  for (Index i = whole; i < n; ++i) add(i, i - whole);
  return {total(value), total(curvature)};
}

/// w ψ(u) per row, and which rows lie within τ.
GNOMON_HOT void clamp_residuals(const double* u, const double* w, Index n, double tau, double* psi,
                                char* inside) {
  for (Index i = 0; i < n; ++i) psi[i] = w[i] * std::min(std::max(u[i], -tau), tau);
  for (Index i = 0; i < n; ++i) inside[i] = std::fabs(u[i]) <= tau;
}

double clamped_norm(const VectorView& y, double centre, const Vector& weight, double tau) {
  return std::sqrt(weight.dot((y.array() - centre).max(-tau).min(tau).square().matrix()));
}

}  // namespace

HuberNewton::HuberNewton(const WhitenedDesign& design, const VectorView& y, double tau)
    : design_(design),
      y_(y),
      tau_(tau),
      hessian_(design),
      z_(Vector::Zero(design.stride())),
      direction_(design.stride()),
      gradient_(design.stride()),
      residual_(y),
      along_(y.size()),
      psi_(y.size()),
      inside_(static_cast<std::size_t>(y.size())) {
  const double centre = design.intercept() ? design.weight().dot(y) / design.weight().sum() : 0;
  gap_scale_ = std::max(clamped_norm(y, centre, design.weight(), tau),
                        1e-3 * clamped_norm(y, 0, design.weight(), tau));
}

void HuberNewton::refresh_residual() {
  design_.apply(z_.data(), residual_.data());
  residual_ = y_ - residual_;
}

/// Gradient (of descent) and its relative norm at the present residuals; sets the partition.
double HuberNewton::gradient_gap(double tau) {
  clamp_residuals(residual_.data(), design_.weight().data(), y_.size(), tau, psi_.data(), inside_.data());
  design_.apply_transposed(psi_.data(), gradient_.data());
  gradient_.array() -= lambda_ * design_.inverse_square().array() * z_.array();
  const double norm = gradient_.norm();
  return gap_scale_ > 0 ? norm / gap_scale_ : norm;
}

void HuberNewton::start_cold(double lambda) {
  lambda_ = lambda;
  psi_ = design_.weight().cwiseProduct(y_);
  design_.apply_transposed(psi_.data(), z_.data());
  z_.array() /= 1 + lambda * design_.inverse_square().array();
  refresh_residual();
  const double spread = design_.weight().dot(residual_.cwiseAbs()) / design_.weight().sum();
  for (double wide = spread / 2; wide > 4 * tau_; wide /= 4) descend(wide, 6);
}

void HuberNewton::start_from(const PathFit& fit) {
  design_.coordinates(fit.coefficients, fit.offset, z_.data());
  refresh_residual();
}

void HuberNewton::solve(double lambda) {
  constexpr int warm_limit = 60, cold_limit = 1000;
  lambda_ = lambda;
  if (!descend(tau_, warm_limit)) {
    start_cold(lambda);
    descend(tau_, cold_limit);
  }
  polish();
  settle();
}

/// True when a full step has kept the partition, or nothing is left to gain.
bool HuberNewton::descend(double tau, int limit) {
  for (int step = 0; step < limit; ++step) {
    if (gradient_gap(tau) <= solved) return true;
    hessian_.move_to(inside_);
    hessian_.factor(lambda_);
    hessian_.solve(gradient_.data(), direction_.data());
    design_.apply(direction_.data(), along_.data());
    const double t = line_search(tau);
    if (!(t > 0)) return true;  // no descent left in this arithmetic
    z_ += t * direction_;
    residual_ -= t * along_;
    if (t != 1 || hessian_.singular()) continue;
    bool same = true;
    for (Index i = 0; i < y_.size() && same; ++i)
      same = (std::fabs(residual_[i]) <= tau) == static_cast<bool>(inside_[static_cast<std::size_t>(i)]);
    if (same) return true;
  }
  return false;
}

/// The root of the slope along the direction, which is increasing and piecewise linear: Newton's root of the
/// present piece where it falls into the bracket, else the median of the breakpoints left in it. Finite.
double HuberNewton::line_search(double tau) const {
  const Vector& d = direction_;
  const auto& curvature = design_.inverse_square();
  const double linear = lambda_ * curvature.cwiseProduct(z_).dot(d);
  const double quadratic = lambda_ * curvature.cwiseProduct(d).dot(d);
  const auto slope_at = [&](double t) {
    Slope s = loss_slope(residual_.data(), along_.data(), design_.weight().data(), y_.size(), t, tau);
    return Slope{s.value + linear + t * quadratic, s.curvature + quadratic};
  };
  const double start = -gradient_.dot(d);
  if (!(start < 0)) return 0;
  const double enough = 1e-11 * -start;
  double lo = 0, hi = std::numeric_limits<double>::infinity(), t = 1;
  Slope below{start, 0}, above{0, 0};
  for (int evaluation = 0; evaluation < 200; ++evaluation) {
    const Slope s = slope_at(t);
    if (std::fabs(s.value) <= enough) return t;
    if (s.value < 0) {
      lo = t;
      below = s;
    } else {
      hi = t;
      above = s;
    }
    const double root = s.curvature > 0 ? t - s.value / s.curvature : undefined;
    if (root > lo && root < hi && evaluation % 3 != 2) {
      t = root;
      continue;
    }
    breakpoints_.clear();
    for (Index i = 0; i < y_.size(); ++i) {
      if (along_[i] == 0) continue;
      for (const double edge : {-tau, tau}) {
        const double b = (residual_[i] - edge) / along_[i];
        if (b > lo && b < hi) breakpoints_.push_back(b);
      }
    }
    if (breakpoints_.empty()) {  // one piece: its root
      if (std::isinf(hi)) return below.curvature > 0 ? lo - below.value / below.curvature : lo;
      const double slope = (above.value - below.value) / (hi - lo);
      return lo - below.value / slope;
    }
    const auto middle = breakpoints_.begin() + static_cast<std::ptrdiff_t>(breakpoints_.size() / 2);
    std::nth_element(breakpoints_.begin(), middle, breakpoints_.end());
    t = *middle;
  }
  return t;
}

/// Residuals afresh from the coordinates, then Newton steps on the partition while they still gain.
void HuberNewton::polish() {
  refresh_residual();
  gap_ = gradient_gap(tau_);
  for (int step = 0; step < 4 && gap_ > solved; ++step) {
    const Vector before = z_;
    hessian_.move_to(inside_);
    hessian_.factor(lambda_);
    if (hessian_.singular()) {
      std::vector<Index> rows;
      for (std::size_t i = 0; i < inside_.size(); ++i)
        if (inside_[i]) rows.push_back(static_cast<Index>(i));
      z_.head(design_.size()) +=
          HuberRoot(design_, std::move(rows), lambda_).solve(gradient_.head(design_.size()));
    } else {
      hessian_.solve(gradient_.data(), direction_.data());
      z_ += direction_;
    }
    refresh_residual();
    const double gap = gradient_gap(tau_);
    if (gap < 0.25 * gap_) {
      gap_ = gap;
      continue;
    }
    if (gap > gap_) {
      z_ = before;
      refresh_residual();
      gap_ = gradient_gap(tau_);
    } else {
      gap_ = gap;
    }
    break;
  }
  hessian_.move_to(inside_);
  hessian_.factor(lambda_);
}

PathFit HuberNewton::fit() {
  PathFit fit;
  fit.lambda = lambda_;
  design_.coefficients(z_.data(), fit.coefficients, fit.offset);
  double loss = 0, rss = 0, size_within = 0;
  fit.active.reserve(inside_.size());
  for (Index i = 0; i < y_.size(); ++i) {
    const double u = residual_[i], w = design_.weight()[i], size = std::fabs(u);
    rss += w * u * u;
    if (inside_[static_cast<std::size_t>(i)]) {
      fit.active.push_back(i);
      loss += w * u * u / 2;
      size_within += w * y_[i] * y_[i];
    } else {
      loss += w * tau_ * (size - tau_ / 2);
    }
  }
  fit.rss = rss;
  fit.gap = gap_;
  fit.converged =
      gap_ * gap_scale_ <= certified * gap_scale_ + rounding * (std::sqrt(size_within) + z_.norm());
  fit.objective = loss + lambda_ / 2 * design_.inverse_square().cwiseProduct(z_).dot(z_);
  fit.unique = unique_ && (lambda_ > 0 || design_.full_column_rank());
  fit.df = hessian_.singular() ? HuberRoot(design_, fit.active, lambda_).degrees_of_freedom()
                               : hessian_.degrees_of_freedom();
  return fit;
}

}  // namespace gnomon
