#include "spectral_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::reference {

SpectralRidge::SpectralRidge(const MatrixView& x, const VectorView& y) : n_(x.rows()) {
  require(x.rows() == y.size() && x.rows() > 1,
          "ridge: {} rows of inputs and {} targets; they must agree, at least 2", x.rows(), y.size());
  require(x.allFinite() && y.allFinite(),
          "ridge: a value is not finite; drop or impute missing values first");
  mean_ = x.squaredNorm() / static_cast<double>(n_) / static_cast<double>(std::min(x.rows(), x.cols()));
  auto svd = lapack::thin_svd(Matrix(x));
  const double cut =
      static_cast<double>(std::max(x.rows(), x.cols())) * 2.3e-16 * (svd.s.size() ? svd.s[0] : 0);
  Index rank = 0;
  while (rank < svd.s.size() && svd.s[rank] > cut) ++rank;
  u_ = svd.u.leftCols(rank);
  u_squared_ = u_.cwiseAbs2();
  lambda_ = svd.s.head(rank).cwiseAbs2() / static_cast<double>(n_);
  c_ = u_.transpose() * y;
  if (rank == n_) {
    outside_ = q_outside_ = Vector::Zero(n_);
  } else {
    outside_ = y - u_ * c_;
    outside_ -= u_ * (u_.transpose() * outside_);
    q_outside_ = (1 - u_squared_.rowwise().sum().array()).max(0);
  }
  outside_squared_ = outside_.squaredNorm();
}

double SpectralRidge::gamma(double kappa) const {
  return (lambda_.array() / (lambda_.array() + kappa)).sum();
}

reference::HyperEstimate SpectralRidge::at(Curve curve, double kappa) const {
  require(std::isfinite(kappa) && kappa > 0, "ridge: kappa is {}; it must be finite and above 0", kappa);
  const double n = static_cast<double>(n_);
  const double used = curve == Curve::loo ? kappa * (n - 1) / n : kappa;
  const Eigen::ArrayXd g = used / (lambda_.array() + used), f = lambda_.array() / (lambda_.array() + used);
  const Eigen::ArrayXd c2 = c_.array().square(), fg = f * g;
  const double error = (outside_squared_ + (g.square() * c2).sum()) / n;  // S
  const double d_error = 2 / n * (fg * g * c2).sum();
  const double beyond = n - static_cast<double>(rank());
  reference::HyperEstimate out;
  double slope = 0;
  switch (curve) {
    case Curve::loo:
    case Curve::gen:
    case Curve::gen_eq14: {
      const Eigen::ArrayXd e = (outside_ + u_ * (g * c_.array()).matrix()).array();
      const Eigen::ArrayXd q = (q_outside_ + u_squared_ * g.matrix()).array();
      const Eigen::ArrayXd de = (u_ * (fg * c_.array()).matrix()).array(),
                           dq = (u_squared_ * fg.matrix()).array();
      if (curve == Curve::loo) {
        const Eigen::ArrayXd held_out = e / q;
        out.value = held_out.square().mean();
        slope = 2 * (held_out * (de - held_out * dq) / q).mean();
      } else if (curve == Curve::gen) {
        out.value = (e.square() * (3 - 2 * q)).mean() - 2 / (n * n) * (g.square() * f * c2).sum();
        slope = (2 * e * de * (3 - 2 * q) - 2 * e.square() * dq).mean() -
                2 / (n * n) * (f * g.square() * (3 * f - 1) * c2).sum();
      } else {
        slope = (1 - 2 / n) * 2 / n * (g.square() * f * c2).sum() - 2 / n * (e.square() * dq).sum() +
                2 / (n * n) * (g.cube() * f * c2).sum();
      }
      break;
    }
    case Curve::gcv: {
      const double left = beyond + g.sum();
      out.value = error * n * n / (left * left);
      slope = n * n / (left * left) * (d_error - 2 * error * fg.sum() / left);
      break;
    }
    case Curve::gpe: {
      const double left = beyond + g.sum();
      out.value = error * (n + f.sum()) / left;
      slope = (d_error * (n + f.sum()) - (error + out.value) * fg.sum()) / left;
      break;
    }
    case Curve::fper: {
      const double left = beyond + g.square().sum(), above = n + f.square().sum();
      out.value = error * above / left;
      slope = (d_error * above - 2 * error * (f * fg).sum() - 2 * out.value * (g * fg).sum()) / left;
      break;
    }
    case Curve::evidence: {
      const double cost = (outside_squared_ + (g * c2).sum()) / n;
      out.value = 0.5 * n * (1 + std::log(2 * std::numbers::pi * cost)) +
                  0.5 * (lambda_.array() / used).log1p().sum();
      slope = 0.5 * (fg * c2).sum() / cost - 0.5 * f.sum();
      break;
    }
  }
  if ((curve == Curve::gen || curve == Curve::gpe || curve == Curve::fper) && f.sum() > 0.8 * n) {
    out.warning =
        "effective parameters exceed 0.8 of the observations: the estimate vanishes with the training error";
  }
  out.gradient = Vector::Constant(1, slope);
  return out;
}

namespace {

/// The sign change of the derivative in (a, b), log κ.
double root(const SpectralRidge& ridge, SpectralRidge::Curve curve, double a, double b, double da,
            double db) {
  for (int i = 0; i < 200 && b - a > 1e-13 * std::max(1.0, std::abs(a)); ++i) {
    double at = a - da * (b - a) / (db - da);
    if (i % 3 == 2 || !(at > a && at < b)) at = 0.5 * (a + b);
    const double d = ridge.at(curve, std::exp(at)).gradient[0];
    if (d == 0) return at;
    if ((d > 0) == (da > 0)) {
      a = at, da = d;
    } else {
      b = at, db = d;
    }
  }
  return std::abs(da) < std::abs(db) ? a : b;
}

}  // namespace

KappaScan scan_kappa(const SpectralRidge& ridge, SpectralRidge::Curve curve, double lower, double upper,
                     int per_decade) {
  require(lower > 0 && lower < upper && per_decade > 0,
          "scan: kappa from {} to {}, {} a decade; give 0 < from < to", lower, upper, per_decade);
  const int steps = std::max(1, static_cast<int>(std::ceil(std::log10(upper / lower) * per_decade)));
  const double step = std::log(upper / lower) / steps;
  KappaScan scan;
  scan.value = std::numeric_limits<double>::infinity();
  const auto offer = [&](double kappa, double value, KappaScan::Where where) {
    if (value < scan.value) scan.kappa = kappa, scan.value = value, scan.where = where;
  };
  double theta = std::log(lower);
  reference::HyperEstimate last = ridge.at(curve, lower);
  offer(lower, last.value, KappaScan::Where::lower_end);
  for (int i = 1; i <= steps; ++i) {
    const double next = std::log(lower) + step * i;
    reference::HyperEstimate here = ridge.at(curve, i == steps ? upper : std::exp(next));
    if ((last.gradient[0] > 0) != (here.gradient[0] > 0) && last.gradient[0] != 0 && here.gradient[0] != 0) {
      const double kappa = std::exp(root(ridge, curve, theta, next, last.gradient[0], here.gradient[0]));
      const double value = ridge.at(curve, kappa).value;
      scan.stationary.push_back({kappa, value, last.gradient[0] < 0});
      if (last.gradient[0] < 0) offer(kappa, value, KappaScan::Where::interior);
    }
    theta = next, last = std::move(here);
  }
  offer(upper, last.value, KappaScan::Where::upper_end);
  if (curve == SpectralRidge::Curve::gen_eq14) {
    scan.value = undefined;
    scan.status = "zeros of a printed gradient that belongs to no curve";
    return scan;
  }
  std::size_t minima = 0;
  for (const auto& point : scan.stationary) minima += point.minimum;
  switch (scan.where) {
    case KappaScan::Where::interior:
      scan.status = minima > 1 ? fmt::format("the lowest of {} minima", minima) : "one minimum";
      break;
    case KappaScan::Where::lower_end:
      scan.status = "kappa is zero: the lower end of the scan is lowest, no regularization";
      break;
    case KappaScan::Where::upper_end:
      scan.status = "kappa is infinite: the upper end of the scan is lowest, nothing but the penalty";
      break;
  }
  if (std::string warning = ridge.at(curve, scan.kappa).warning; !warning.empty())
    scan.status += "; " + warning;
  return scan;
}

}  // namespace gnomon::reference
