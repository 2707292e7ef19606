#include "kmm.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"
#include "longest_step.hpp"
#include "represent/gram.hpp"

namespace gnomon {
namespace {

constexpr int kMatchIterations = 100;
constexpr double kMatchTolerance = 1e-12;

/// min ⟨g, v⟩ over 0 ≤ v ≤ bound, Σv = total: fill the smallest entries of g first.
double least_inner_product(const Vector& g, double bound, double total) {
  std::vector<double> sorted(g.data(), g.data() + g.size());
  std::sort(sorted.begin(), sorted.end());
  double sum = 0;
  for (const double value : sorted) {
    const double part = std::min(bound, total);
    sum += part * value;
    if ((total -= part) <= 0) break;
  }
  return sum;
}

/// K + λI + diag(barrier), factored; solves for a direction that keeps Σβ as it is.
class NewtonSystem {
 public:
  NewtonSystem(const Matrix& k, const Vector& diagonal) : factor_(k), ones_(Vector::Ones(k.rows())) {
    factor_.diagonal() += diagonal;
    const int n = static_cast<int>(k.rows());
    definite_ = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, factor_.data(), n) == 0;
    if (definite_) solve(ones_);
  }
  bool definite() const { return definite_; }

  /// A dβ + 1 dτ = rhs, 1ᵀdβ = excess.
  void direction(Vector rhs, double excess, Vector& d_beta, double& d_tau) const {
    solve(rhs);
    d_tau = (rhs.sum() - excess) / ones_.sum();
    d_beta = rhs - d_tau * ones_;
  }

 private:
  void solve(Vector& v) const {
    const int n = static_cast<int>(v.size());
    LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', n, 1, factor_.data(), n, v.data(), n);
  }
  Matrix factor_;
  Vector ones_;  ///< A⁻¹1
  bool definite_;
};

/// κ(x) = (n/m) Σ_j k(x, z_j)
Vector matched_mean(const MatrixView& x, const KmmFit& fit) {
  const Matrix k = cross_gram(Gaussian{fit.width}, x, fit.test);
  Vector sum = Vector::Zero(x.rows());
  for (Index j = 0; j < k.cols(); ++j) sum += k.col(j);  // row by row independent of the other rows
  return sum * (static_cast<double>(fit.train.rows()) / static_cast<double>(fit.test.rows()));
}

}  // namespace

Vector KmmFit::at(const MatrixView& x) const {
  constexpr Index kRows = 1024;
  Vector w(x.rows());
  for (Index begin = 0; begin < x.rows(); begin += kRows) {
    const Index size = std::min(kRows, x.rows() - begin);
    const Matrix block = x.middleRows(begin, size);
    Vector value = matched_mean(block, *this);
    const Matrix k = cross_gram(Gaussian{width}, block, train);
    for (Index i = 0; i < k.cols(); ++i) value -= beta[i] * k.col(i);
    w.segment(begin, size) = (1 + (value.array() - multiplier) / lambda).max(0).min(bound);
  }
  return w;
}

KmmFit kmm_fit(const MatrixView& train, const MatrixView& test, double width, double lambda, double bound) {
  constexpr Index kMaxRows = 20000;
  require(train.rows() <= kMaxRows,
          "kmm holds an n×n matrix and serves up to {} training rows, not {}: use ulsif or logistic",
          kMaxRows, train.rows());
  require(train.rows() > 0 && test.rows() > 0, "kmm needs rows in both samples, not {} and {}", train.rows(),
          test.rows());
  require(std::isfinite(width) && width > 0, "the kernel width is {}: it must be positive and finite", width);
  require(std::isfinite(lambda) && lambda > 0, "the penalty lambda is {}: it must be positive and finite",
          lambda);
  require(std::isfinite(bound) && bound > 1, "the bound on the weights is {}: it must exceed 1, their mean",
          bound);
  const Index n = train.rows();
  const double total = static_cast<double>(n);
  KmmFit fit{train, test, width, lambda, bound, Vector::Ones(n), 0, undefined, undefined, 0, false};
  Matrix k = gram(Gaussian{width}, train);
  k.diagonal().array() += lambda;
  const Vector linear = matched_mean(train, fit).array() + lambda;
  Vector& beta = fit.beta;
  Vector room = Vector::Constant(n, bound - 1);  // bound − β, kept apart so that it stays exact near 0
  fit.scale = linear.sum() + beta.dot(lapack::symmetric_times(k, beta));
  Vector lower = Vector::Constant(n, fit.scale / total), upper = lower / bound;
  for (;; ++fit.iterations) {
    const Vector gradient = lapack::symmetric_times(k, beta) - linear;
    fit.gap = gradient.dot(beta) - least_inner_product(gradient, bound, total);
    fit.converged = fit.gap <= kMatchTolerance * fit.scale;
    if (fit.converged || fit.iterations >= kMatchIterations) break;
    const NewtonSystem system(k, lower.cwiseQuotient(beta) + upper.cwiseQuotient(room));
    if (!system.definite()) break;
    const double mu = (lower.dot(beta) + upper.dot(room)) / (2 * total), excess = total - beta.sum();
    Vector d_beta, d_lower, d_upper;
    double d_tau = 0;
    // complement: what β·lower and room·upper are to change by, to first order
    const auto solve = [&](const Vector& on_lower, const Vector& on_upper) {
      const Vector rhs = -(gradient.array() + fit.multiplier - lower.array() + upper.array()) +
                         on_lower.array() / beta.array() - on_upper.array() / room.array();
      system.direction(rhs, excess, d_beta, d_tau);
      d_lower = (on_lower.array() - lower.array() * d_beta.array()) / beta.array();
      d_upper = (on_upper.array() + upper.array() * d_beta.array()) / room.array();
    };
    const auto step_length = [&] {
      return std::min({detail::longest_step(beta, d_beta), detail::longest_step(room, -d_beta),
                       detail::longest_step(lower, d_lower), detail::longest_step(upper, d_upper)});
    };
    const Vector lower_product = lower.cwiseProduct(beta), upper_product = upper.cwiseProduct(room);
    solve(-lower_product, -upper_product);
    const double predicted = step_length();
    const double mu_predicted = ((lower + predicted * d_lower).dot(beta + predicted * d_beta) +
                                 (upper + predicted * d_upper).dot(room - predicted * d_beta)) /
                                (2 * total);
    const double centre = mu * std::pow(mu_predicted / mu, 3);
    const Vector on_lower = centre - lower_product.array() - d_beta.array() * d_lower.array();
    const Vector on_upper = centre - upper_product.array() + d_beta.array() * d_upper.array();
    solve(on_lower, on_upper);
    const double step = std::min(1.0, 0.995 * step_length());
    beta += step * d_beta;
    room -= step * d_beta;
    lower += step * d_lower;
    upper += step * d_upper;
    fit.multiplier += step * d_tau;
  }
  return fit;
}

}  // namespace gnomon
