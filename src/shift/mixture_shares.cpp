// The sum constraint is traded for a penalty: minimise f(u) = −mean_j log (a u)_j + Σu over u ≥ 0. Because the
// first term falls by log t when u is scaled by t, the minimum has Σu = 1 by itself. With s = ∇(mean log a u),
//   optimal:  z = 1 − s ≥ 0,  u ≥ 0,  u_k z_k = 0.
#include "mixture_shares.hpp"

#include <algorithm>
#include <cmath>

#include "decompose/lapack.hpp"
#include "longest_step.hpp"

namespace gnomon {
namespace {

constexpr int kShareIterations = 200;

struct State {
  Vector u, z, w, slope;  ///< shares, multipliers, a u, s
  double gap;             ///< of the shares scaled to sum 1
};

Vector times(const Matrix& a, const Vector& v, bool transpose) {
  return lapack::product(a, transpose, v, false).col(0);
}

State state_at(const Matrix& a, Vector u, Vector z) {
  State s{std::move(u), std::move(z), {}, {}, undefined};
  s.w = times(a, s.u, false);
  s.slope = times(a, s.w.cwiseInverse(), true) / static_cast<double>(a.rows());
  s.gap = s.slope.maxCoeff() * s.u.sum() - 1;
  return s;
}

/// How far the optimality conditions, relaxed to u_k z_k = centre, are from holding.
double residual(const State& s, double centre) {
  return std::sqrt((1 - s.slope.array() - s.z.array()).square().sum() +
                   (s.u.array() * s.z.array() - centre).square().sum());
}

/// One step of expectation maximisation: never decreases the objective.
Vector multiplicative_step(const State& s) { return s.u.cwiseProduct(s.slope) / s.u.dot(s.slope); }

}  // namespace

MixtureShares mixture_shares(Matrix a, double tolerance) {
  const Index b = a.cols();
  const double m = static_cast<double>(a.rows());
  const Vector largest = a.rowwise().maxCoeff();
  a = largest.cwiseInverse().asDiagonal() * a;
  State now = state_at(a, Vector::Constant(b, 1.0 / static_cast<double>(b)), Vector::Ones(b));
  now.z = (1 - now.slope.array()).max(0.1);
  int iteration = 0;
  for (; iteration < kShareIterations && now.gap > tolerance; ++iteration) {
    // (Hessian + diag(z/u)) du = s − 1 + (centre − du dz)/u, predicted with centre 0 first (Mehrotra).
    const Matrix scaled = now.w.cwiseInverse().asDiagonal() * a;
    Matrix system = Matrix::Zero(b, b);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, static_cast<int>(b), static_cast<int>(a.rows()), 1 / m,
                scaled.data(), static_cast<int>(a.rows()), 0, system.data(), static_cast<int>(b));
    system.diagonal() += now.z.cwiseQuotient(now.u);
    const auto factor = [&](Matrix& lower) {
      return LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', static_cast<int>(b), lower.data(), static_cast<int>(b)) ==
             0;
    };
    const bool definite = factor(system);
    const auto solve = [&](Vector rhs) {
      LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', static_cast<int>(b), 1, system.data(), static_cast<int>(b),
                     rhs.data(), static_cast<int>(b));
      return rhs;
    };
    bool moved = false;
    if (definite) {
      const double mu = now.u.dot(now.z) / static_cast<double>(b);
      Vector du = solve(now.slope.array() - 1);
      Vector dz = -now.z.array() - now.z.array() * du.array() / now.u.array();
      const double p = detail::longest_step(now.u, du), q = detail::longest_step(now.z, dz);
      const double mu_predicted = (now.u + p * du).dot(now.z + q * dz) / static_cast<double>(b);
      const double centre = mu * std::pow(mu_predicted / mu, 3);
      const Vector correction = (centre - du.array() * dz.array()) / now.u.array();
      du = solve((now.slope.array() - 1 + correction.array()).matrix());
      dz = correction.array() - now.z.array() - now.z.array() * du.array() / now.u.array();
      double step =
          std::min(1.0, 0.995 * std::min(detail::longest_step(now.u, du), detail::longest_step(now.z, dz)));
      for (int halving = 0; halving < 12 && !moved; ++halving, step /= 2) {
        State next = state_at(a, now.u + step * du, now.z + step * dz);
        moved = residual(next, centre) < (1 - 0.01 * step) * residual(now, centre);
        if (moved) now = std::move(next);
      }
    }
    if (!moved) {
      const double before = now.gap;
      now = state_at(a, multiplicative_step(now).cwiseMax(1e-300), now.z);
      if (!(now.gap < before)) break;  // at the limit of rounding
    }
  }
  // Shares that the multipliers call zero become zero if the bound allows it.
  Vector snapped = (now.u.array() < now.z.array()).select(0.0, now.u);
  if (snapped.maxCoeff() > 0) {
    snapped /= snapped.sum();
    if ((times(a, snapped, false).array() > 0).all()) {
      State rounded = state_at(a, snapped, now.z);
      if (rounded.gap <= std::max(tolerance, now.gap)) return {rounded.u, rounded.gap, iteration};
    }
  }
  return {now.u / now.u.sum(), now.gap, iteration};
}

}  // namespace gnomon
