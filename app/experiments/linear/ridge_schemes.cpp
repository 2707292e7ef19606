#include "ridge_schemes.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "decompose/lapack.hpp"

namespace gnomon::experiments {
namespace {

double as_double(Index count) { return static_cast<double>(count); }

/// Weights, and B = X'X/N + κI = J/2 factorised.
class Training {
 public:
  Training(const Matrix& x, const Vector& y, double kappa, Work& work) : work_(work) {
    const double n = as_double(x.rows()), m = as_double(x.cols());
    const Matrix b = x.transpose() * x / n + kappa * Matrix::Identity(x.cols(), x.cols());
    factor_.compute(b);
    work.trainings += 1;
    work.factorisations += 1;
    work.flops += n * m * (m + 1) + 2 * n * m + m * m * m / 3;
    weights_ = solve(x.transpose() * y / n);
  }

  const Vector& weights() const { return weights_; }
  /// B⁻¹ times every column.
  Matrix solve(const Matrix& right) const {
    const double m = as_double(right.rows());
    work_.solves += right.cols();
    work_.flops += 2 * m * m * as_double(right.cols());
    return factor_.solve(right);
  }

 private:
  Work& work_;
  Eigen::LLT<Matrix> factor_;
  Vector weights_;
};

/// y − Xw.
Vector residual(const Matrix& x, const Vector& y, const Vector& w, Work& work) {
  work.flops += 2 * as_double(x.rows()) * as_double(x.cols());
  return y - x * w;
}

}  // namespace

SchemeValue validation_step(const Matrix& x, const Vector& y, const std::vector<std::vector<Index>>& folds,
                            double kappa, Work& work) {
  SchemeValue mean{0, 0};
  for (const auto& held : folds) {
    std::vector<bool> out(static_cast<std::size_t>(x.rows()), false);
    for (const Index k : held) out[static_cast<std::size_t>(k)] = true;
    std::vector<Index> kept;
    for (Index k = 0; k < x.rows(); ++k) {
      if (!out[static_cast<std::size_t>(k)]) kept.push_back(k);
    }
    const Training fit(x(kept, Eigen::all), y(kept), kappa, work);
    const Matrix there = x(held, Eigen::all);
    const Vector e = residual(there, y(held), fit.weights(), work);
    const double size = as_double(e.size());
    const Vector gradient = -2 * there.transpose() * e / size;  // of the validation error
    work.flops += 2 * size * as_double(x.cols());
    mean.value += e.squaredNorm() / size;
    mean.slope -= fit.weights().dot(Vector(fit.solve(gradient)));  // r' J⁻¹ ∇S, r' = 2w, J = 2B
  }
  const double count = as_double(static_cast<Index>(folds.size()));
  return {mean.value / count, mean.slope / count};
}

SchemeValue gen_step(const Matrix& x, const Vector& y, double kappa, Work& work) {
  const Training fit(x, y, kappa, work);
  const double n = as_double(x.rows()), m = as_double(x.cols());
  const Vector& w = fit.weights();
  const Vector e = residual(x, y, w, work);
  const Matrix scores = -2 * e.asDiagonal() * x;  // a row per example
  work.flops += n * m + n * m * (m + 1);
  const Matrix l = scores.transpose() * scores / n;
  const Matrix inner = fit.solve(l) / 2;                       // J⁻¹L
  const Matrix outer = fit.solve(inner.transpose()) / 2;       // J⁻¹LJ⁻¹
  const Vector pulled = fit.solve(Matrix(2 * kappa * w)) / 2;  // J⁻¹R'
  const double last = 2 * kappa * w.dot(pulled);               // R'ᵀJ⁻¹R'
  const double bend = 2 * kappa * w.dot(pulled) / kappa;       // r'ᵀJ⁻¹R', r' = 2w
  return {e.squaredNorm() / n + inner.trace() / n - last / n,
          (1 - 2 / n) * bend - 2 * outer.trace() / n + 2 * pulled.squaredNorm() / n};
}

double evidence_step(const Matrix& x, const Vector& y, double kappa, Work& work) {
  const Training fit(x, y, kappa, work);
  const double n = as_double(x.rows()), m = as_double(x.cols());
  const Vector e = residual(x, y, fit.weights(), work);
  // γ = tr HJ⁻¹ = m − κ tr B⁻¹
  const double gamma = m - kappa * fit.solve(Matrix::Identity(x.cols(), x.cols())).trace();
  return gamma * (e.squaredNorm() / n) / ((n - gamma) * fit.weights().squaredNorm());
}

SchemeValue closed_loo_step(const Matrix& x, const Vector& y, double kappa, Work& work) {
  // The cost of N − 1 rows has (N − 1)κ against the sum, that of N rows N·κ: train at κ(N − 1)/N.
  const double n = as_double(x.rows()), m = as_double(x.cols()), inside = kappa * (n - 1) / n;
  const Training fit(x, y, inside, work);
  const Vector e = residual(x, y, fit.weights(), work);
  const Matrix g = fit.solve(x.transpose()) / n;  // (X'X + (N − 1)κI)⁻¹ X', a column per row
  const Vector leverage = (x.transpose().cwiseProduct(g)).colwise().sum();
  const Vector slope_e = (n - 1) * x * Vector(fit.solve(fit.weights()) / n);
  const Vector slope_h = -(n - 1) * g.colwise().squaredNorm().transpose();
  work.flops += 6 * n * m;
  const Vector q = 1 - leverage.array(), loo = e.cwiseQuotient(q);
  const Vector slope = slope_e.cwiseQuotient(q) + loo.cwiseProduct(slope_h).cwiseQuotient(q);
  return {loo.squaredNorm() / n, 2 * loo.dot(slope) / n};
}

SpectralRidge::SpectralRidge(const Matrix& x, const Vector& y) {
  const auto svd = lapack::thin_svd(Matrix(x));
  u_ = svd.u;
  u_squared_ = u_.cwiseAbs2();
  lambda_ = svd.s.array().square() / as_double(x.rows());
  c_ = u_.transpose() * y;
  left_ = y - u_ * c_;
  left_leverage_ = 1 - u_squared_.rowwise().sum().array();
}

// f = λ/(λ + κ), g = κ/(λ + κ), and df/dκ = −f/(λ + κ), dg/dκ = f/(λ + κ).

SchemeValue SpectralRidge::gen(double kappa) const {
  const double n = as_double(u_.rows());
  const Vector sum = lambda_.array() + kappa, f = lambda_.cwiseQuotient(sum), g = kappa * sum.cwiseInverse();
  const Vector bend = f.cwiseQuotient(sum), c2 = c_.cwiseAbs2();
  const Vector e = left_ + u_ * g.cwiseProduct(c_), q = left_leverage_ + u_squared_ * g;
  const Vector slope_q = u_squared_ * bend;
  const double value = (e.array().square() * (3 - 2 * q.array())).mean() -
                       2 / (n * n) * (g.array().square() * f.array() * c2.array()).sum();
  const double slope = (1 - 2 / n) * (2 / n) * (g.array() * bend.array() * c2.array()).sum() -
                       2 / n * e.cwiseAbs2().dot(slope_q) +
                       2 / (n * n) * (g.array().square() * bend.array() * c2.array()).sum();
  return {value, slope};
}

SchemeValue SpectralRidge::loo(double kappa) const {
  const double n = as_double(u_.rows()), inside = kappa * (n - 1) / n;
  const Vector sum = lambda_.array() + inside, g = inside * sum.cwiseInverse();
  const Vector bend = lambda_.cwiseQuotient(sum).cwiseQuotient(sum);
  const Vector e = left_ + u_ * g.cwiseProduct(c_), q = left_leverage_ + u_squared_ * g;
  const Vector loo = e.cwiseQuotient(q);
  const Vector slope = (u_ * bend.cwiseProduct(c_) - loo.cwiseProduct(u_squared_ * bend)).cwiseQuotient(q);
  return {loo.squaredNorm() / n, 2 * loo.dot(slope) / n * (n - 1) / n};
}

double SpectralRidge::next_evidence_kappa(double kappa) const {
  const double n = as_double(u_.rows());
  const Vector sum = lambda_.array() + kappa, f = lambda_.cwiseQuotient(sum), g = kappa * sum.cwiseInverse();
  const double error = (left_.squaredNorm() + g.cwiseProduct(c_).squaredNorm()) / n, gamma = f.sum();
  const double weights =
      (f.array() * c_.array()).square().cwiseQuotient(n * lambda_.array()).sum();  // |ŵ|², s² = Nλ
  return gamma * error / ((n - gamma) * weights);
}

}  // namespace gnomon::experiments
