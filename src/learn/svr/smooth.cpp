#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gnomon/core/parallel.hpp"
#include "problem.hpp"

namespace gnomon::svr {
namespace {

/// ψ(u) = derivative of the rounded loss: 0 in the tube, linear with slope 1/μ beside it, ±bound beyond.
double influence(double u, double bound, double epsilon, double slope) {
  return std::copysign(std::min(std::max(0.0, (std::abs(u) - epsilon) * slope), bound), u);
}

GNOMON_HOT double loss_slope(const double* u, const double* g, const double* bound, double epsilon,
                             double slope, double t, Index n) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) {
    const double v = u[i] - t * g[i],
                 size = std::min(std::max(0.0, (std::abs(v) - epsilon) * slope), bound[i]);
    sum += std::copysign(size, v) * g[i];
  }
  return -sum;
}

/// A direction in function space, and the two numbers of ½‖f + t·df‖² that depend on t.
struct Direction {
  Vector change;  ///< of β (Gram held) or of a (Gram as a product)
  double offset = 0;
  Vector fit;  ///< of the fitted values, the offset included
  double slope = 0, curvature = 0;
};

class Smoothing {
 public:
  Smoothing(const Problem& problem, Point& point) : p_(problem), point_(point), n_(problem.rows()) {
    if (p_.gram.factored()) a_ = p_.gram.coefficients(point_.beta);
    penalised_ = p_.gram.times(point_.beta);
    residual_ = p_.y - penalised_;
    residual_.array() -= point_.offset;
    psi_.resize(n_);
    place_.assign(static_cast<std::size_t>(n_), 0);
  }

  Index run(double mu, int steps, double settled_share) {
    mu_ = mu;
    double before = -1;
    for (int step = 0; step < steps; ++step) {
      if (partition() <= settled_share * static_cast<double>(rounded_.size()) && step > 0) break;
      Direction d = p_.gram.factored() ? factored_direction() : gram_direction();
      const double start =
          d.slope + loss_slope(residual_.data(), d.fit.data(), p_.bound.data(), p_.epsilon, 1 / mu_, 0, n_);
      if (before < 0) before = std::abs(start);
      if (!(start < 0) || std::abs(start) <= 1e-9 * before) break;
      const double t = line_search(d, start);
      move(d, t);
    }
    return static_cast<Index>(rounded_.size());
  }

  /// Mean distance from the tube of the rows on a slope, 0 where nothing is rounded.
  double excess() const {
    double sum = 0;
    for (const Index i : rounded_) sum += std::abs(residual_[i]) - p_.epsilon;
    return rounded_.empty() ? 0 : sum / static_cast<double>(rounded_.size());
  }

  double mu() const { return mu_; }

  void finish() {
    partition();
    point_.beta = psi_;
  }

 private:
  /// Sorts the rows by where their residuals lie; returns how many have moved.
  Index partition() {
    rounded_.clear();
    Index moved = 0;
    for (Index i = 0; i < n_; ++i) {
      psi_[i] = influence(residual_[i], p_.bound[i], p_.epsilon, 1 / mu_);
      const double size = std::abs(psi_[i]);
      const int place = size == 0 ? 0 : std::copysign(size < p_.bound[i] ? 1 : 2, psi_[i]);
      if (std::abs(place) == 1) rounded_.push_back(i);
      moved += place != place_[static_cast<std::size_t>(i)];
      place_[static_cast<std::size_t>(i)] = static_cast<signed char>(place);
    }
    return moved;
  }

  /// With no row on a slope the offset has no curvature: a step that cannot leave the data behind.
  double offset_step() const {
    const double total = p_.bound.sum();
    return psi_.sum() * (p_.y.maxCoeff() - p_.y.minCoeff()) / total;
  }

  /// Newton in β: (K_AA + μI) Δ_A + δ1 = u_A − ε s_A − μ β_A − K_AB Δ_B with Δ_B = ψ_B − β_B, Σ(β + Δ) = 0.
  Direction gram_direction() {
    Direction d;
    d.change = psi_ - point_.beta;
    for (const Index i : rounded_) d.change[i] = 0;
    d.fit = p_.gram.times(d.change);
    const Index m = static_cast<Index>(rounded_.size());
    if (m > 0) {
      Matrix k = p_.gram.block(rounded_);
      const double shift = p_.intercept ? std::max(p_.gram.diagonal().maxCoeff(), mu_) : 0;
      k.array() += shift;
      k.diagonal().array() += mu_;
      Matrix x(m, p_.intercept ? 2 : 1);
      for (Index r = 0; r < m; ++r) {
        const Index i = rounded_[static_cast<std::size_t>(r)];
        x(r, 0) = residual_[i] - std::copysign(p_.epsilon, residual_[i]) - mu_ * point_.beta[i] - d.fit[i];
        if (p_.intercept) x(r, 1) = 1;
      }
      LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', static_cast<int>(m), k.data(), static_cast<int>(m));
      LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', static_cast<int>(m), static_cast<int>(x.cols()), k.data(),
                          static_cast<int>(m), x.data(), static_cast<int>(m));
      Vector step = x.col(0);
      if (p_.intercept) {
        const double total = -(point_.beta.sum() + d.change.sum());
        const double delta = (step.sum() - total) / x.col(1).sum();
        step -= delta * x.col(1);
        d.offset = delta + shift * total;
      }
      p_.gram.add_columns(rounded_, step.data(), d.fit.data());
      for (Index r = 0; r < m; ++r) d.change[rounded_[static_cast<std::size_t>(r)]] = step[r];
    } else if (p_.intercept) {
      d.offset = offset_step();
    }
    d.slope = penalised_.dot(d.change);
    d.curvature = d.change.dot(d.fit);
    d.fit.array() += d.offset;
    return d;
  }

  /// Newton in (a, b): (μ diag(1, …, 1, 0) + Φ̃_AᵀΦ̃_A) Δ = −μ·gradient with Φ̃ = [Φ 1].
  Direction factored_direction() {
    const Matrix& rows = p_.gram.basis_rows();
    const Index p = rows.rows(), q = p + (p_.intercept ? 1 : 0), m = static_cast<Index>(rounded_.size());
    Matrix h = Matrix::Zero(q, q);
    if (m > 0 && q > 0) {
      Matrix gathered(q, m);
      for (Index r = 0; r < m; ++r) {
        gathered.col(r).head(p) = rows.col(rounded_[static_cast<std::size_t>(r)]);
        if (p_.intercept) gathered(p, r) = 1;
      }
      cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, static_cast<int>(q), static_cast<int>(m), 1,
                  gathered.data(), static_cast<int>(q), 0, h.data(), static_cast<int>(q));
    }
    h.diagonal().head(p).array() += mu_;
    Vector step(q);
    step.head(p) = mu_ * (p_.gram.coefficients(psi_) - a_);
    if (p_.intercept) {
      step[p] = mu_ * psi_.sum();
      if (m == 0) h(p, p) = 1;
    }
    LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', static_cast<int>(q), h.data(), static_cast<int>(q));
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', static_cast<int>(q), 1, h.data(), static_cast<int>(q),
                        step.data(), static_cast<int>(q));
    Direction d;
    d.change = step.head(p);
    if (p_.intercept) d.offset = m > 0 ? step[p] : offset_step();
    d.fit = Vector::Zero(n_);
    if (p > 0) {
      cblas_dgemv(CblasColMajor, CblasTrans, static_cast<int>(p), static_cast<int>(n_), 1, rows.data(),
                  static_cast<int>(p), d.change.data(), 1, 0, d.fit.data(), 1);
    }
    d.slope = a_.dot(d.change);
    d.curvature = d.change.squaredNorm();
    d.fit.array() += d.offset;
    return d;
  }

  /// The slope along the direction increases with t: bracket its zero, then bisect with secants.
  double line_search(const Direction& d, double start) const {
    const auto slope = [&](double t) {
      return d.slope + t * d.curvature +
             loss_slope(residual_.data(), d.fit.data(), p_.bound.data(), p_.epsilon, 1 / mu_, t, n_);
    };
    const double enough = 0.1 * std::abs(start);
    double low = 0, low_slope = start, high = 1, high_slope = slope(1);
    for (int k = 0; k < 6 && high_slope < -enough; ++k) {
      low = high, low_slope = high_slope;
      high *= 2, high_slope = slope(high);
    }
    if (high_slope <= enough) return high;
    for (int k = 0; k < 40; ++k) {
      const double share = std::clamp(low_slope / (low_slope - high_slope), 0.1, 0.9);
      const double t = low + share * (high - low), s = slope(t);
      if (std::abs(s) <= enough) return t;
      (s < 0 ? low : high) = t;
      (s < 0 ? low_slope : high_slope) = s;
    }
    return low > 0 ? low : high;
  }

  void move(const Direction& d, double t) {
    (p_.gram.factored() ? a_ : point_.beta) += t * d.change;
    point_.offset += t * d.offset;
    residual_ -= t * d.fit;
    penalised_ += t * d.fit;
    penalised_.array() -= t * d.offset;
  }

  const Problem& p_;
  Point& point_;
  Index n_;
  double mu_ = 1;
  Vector a_, penalised_, residual_, psi_;  ///< penalised = Kβ, residual = y − Kβ − b
  std::vector<signed char> place_;         ///< 0 in the tube, ±1 on a slope, ±2 beyond
  std::vector<Index> rounded_;             ///< rows on a slope of the rounded loss
};

}  // namespace

void make_feasible(const Problem& problem, Vector& beta) {
  beta = beta.cwiseMin(problem.bound).cwiseMax(-problem.bound);
  if (!problem.intercept) return;
  for (const bool only_free : {true, false}) {
    double excess = beta.sum();
    for (Index i = 0; i < beta.size() && excess != 0; ++i) {
      const bool free = beta[i] != 0 && std::abs(beta[i]) < problem.bound[i];
      if (only_free && !free) continue;
      // A free row keeps its sign here, so that it stays a candidate for the free set.
      const double least = only_free ? (beta[i] > 0 ? 0 : -problem.bound[i]) : -problem.bound[i];
      const double most = only_free ? (beta[i] > 0 ? problem.bound[i] : 0) : problem.bound[i];
      const double moved = std::clamp(beta[i] - excess, least, most);
      excess -= beta[i] - moved;
      beta[i] = moved;
    }
  }
}

void smooth_newton(const Problem& problem, Point& point) {
  const double k = problem.gram.diagonal().mean(), bound = problem.bound.mean();
  const double spread = (problem.y.array() - problem.y.mean()).abs().mean() + 1e-3 * problem.epsilon;
  double mu = std::max(1e-2 * k, 0.2 * spread / bound);
  if (!(mu > 0)) return;
  Smoothing smoothing(problem, point);
  Index before = problem.rows() + 1;
  for (int level = 0; level < 12; ++level, mu *= 0.2) {
    const Index rounded = smoothing.run(mu, 10, 0.1);
    if (rounded < 8) break;
    if (static_cast<double>(rounded) > 0.8 * static_cast<double>(before) &&
        smoothing.excess() < 0.02 * spread)
      break;
    before = rounded;
  }
  smoothing.run(smoothing.mu(), 20, 0.01);
  smoothing.finish();
}

}  // namespace gnomon::svr
