#include "ridge.hpp"

#include <cblas.h>

#include <algorithm>
#include <limits>

#include "decompose/lapack.hpp"

namespace gnomon::detail {
namespace {

Vector times(const Matrix& a, bool transpose, const VectorView& x) {
  Vector y = Vector::Zero(transpose ? a.cols() : a.rows());
  if (a.size() > 0)
    cblas_dgemv(CblasColMajor, transpose ? CblasTrans : CblasNoTrans, static_cast<int>(a.rows()),
                static_cast<int>(a.cols()), 1, a.data(), static_cast<int>(a.rows()), x.data(), 1, 0, y.data(),
                1);
  return y;
}

}  // namespace

RidgeSpectrum RidgeSpectrum::of_gram(Matrix gram) {
  RidgeSpectrum s;
  s.n_ = s.p_ = gram.rows();
  if (s.p_ > 0) {
    auto eigen = lapack::symmetric_eigen(std::move(gram));
    s.values_ = std::move(eigen.values);
    s.vectors_ = std::move(eigen.vectors);
    s.cut_ = static_cast<double>(s.p_) * std::numeric_limits<double>::epsilon() * std::max(0.0, s.values_[0]);
  }
  return s;
}

RidgeSpectrum RidgeSpectrum::of_range(const Vector& singular, Matrix right) {
  RidgeSpectrum s;
  s.n_ = s.p_ = right.rows();
  s.values_ = singular.cwiseAbs2();
  s.vectors_ = std::move(right);
  return s;
}

RidgeSpectrum RidgeSpectrum::of_rows(const double* z, Index n, Index p) {
  Matrix gram = Matrix::Zero(n, n);
  if (n > 0 && p > 0)
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, static_cast<int>(n), static_cast<int>(p), 1, z,
                static_cast<int>(n), 0, gram.data(), static_cast<int>(n));
  RidgeSpectrum s = of_gram(std::move(gram));
  s.rows_ = z;
  s.p_ = p;
  s.cut_ *= static_cast<double>(std::max(n, p)) / static_cast<double>(std::max<Index>(n, 1));
  return s;
}

Vector RidgeSpectrum::coefficients(const VectorView& right, double mu) const {
  if (p_ == 0 || n_ == 0) return Vector::Zero(p_);
  Vector z = times(vectors_, true, right);
  for (Index i = 0; i < z.size(); ++i) z[i] = values_[i] > cut_ ? z[i] / (values_[i] + mu) : 0;
  const Vector x = times(vectors_, false, z);
  if (!rows_) return x;
  Vector a(p_);
  cblas_dgemv(CblasColMajor, CblasTrans, static_cast<int>(n_), static_cast<int>(p_), 1, rows_,
              static_cast<int>(n_), x.data(), 1, 0, a.data(), 1);
  return a;
}

double RidgeSpectrum::excess(const VectorView& gradient, double mu) const {
  if (p_ == 0 || n_ == 0) return 0;
  double sum = 0;
  if (!rows_) {
    const Vector z = times(vectors_, true, gradient);
    for (Index i = 0; i < z.size(); ++i)
      if (values_[i] > cut_) sum += z[i] * z[i] / (values_[i] + mu);
    return sum;
  }
  // Right singular vectors are Zᵀu/√d; what of g lies outside their span is met by the penalty alone.
  Vector image(n_);
  cblas_dgemv(CblasColMajor, CblasNoTrans, static_cast<int>(n_), static_cast<int>(p_), 1, rows_,
              static_cast<int>(n_), gradient.data(), 1, 0, image.data(), 1);
  const Vector z = times(vectors_, true, image);
  double inside = 0;
  for (Index i = 0; i < z.size(); ++i)
    if (values_[i] > cut_) {
      const double square = z[i] * z[i] / values_[i];
      sum += square / (values_[i] + mu);
      inside += square;
    }
  return mu > 0 ? sum + std::max(0.0, gradient.squaredNorm() - inside) / mu : sum;
}

double RidgeSpectrum::degrees_of_freedom(double mu) const {
  double sum = 0;
  for (Index i = 0; i < values_.size(); ++i)
    if (values_[i] > cut_) sum += values_[i] / (values_[i] + mu);
  return sum;
}

bool RidgeSpectrum::clear() const {
  return values_.size() == 0 || values_[values_.size() - 1] > 1e-9 * values_[0];
}

Index RidgeSpectrum::rank() const {
  return static_cast<Index>(
      std::count_if(values_.begin(), values_.end(), [&](double d) { return d > cut_; }));
}

}  // namespace gnomon::detail
