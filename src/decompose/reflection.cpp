#include "reflection.hpp"

#include <cmath>

#include "lapack.hpp"

namespace gnomon {

Reflection::Reflection(const VectorView& direction) : v_(direction.normalized()) {
  v_[0] += std::copysign(1.0, v_[0]);  // away from cancellation
  scale_ = 2 / v_.squaredNorm();
}

Matrix Reflection::compress(const MatrixView& m) const {
  const Index n = m.rows() - 1;
  Matrix block = m.bottomRows(n);
  subtract(along(m, v_.data()), v_.data() + 1, n, block);
  return block;
}

Matrix Reflection::expand(const MatrixView& m) const {
  const Index n = m.rows() + 1;
  Matrix full(n, m.cols());
  full.row(0).setZero();
  full.bottomRows(n - 1) = m;
  subtract(along(m, v_.data() + 1), v_.data(), n, full);
  return full;
}

Vector Reflection::along(const MatrixView& m, const double* v) const {
  Vector products = Vector::Zero(m.cols());
  if (m.size() == 0) return products;
  cblas_dgemv(CblasColMajor, CblasTrans, static_cast<int>(m.rows()), static_cast<int>(m.cols()), scale_,
              m.data(), static_cast<int>(m.outerStride()), v, 1, 0, products.data(), 1);
  return products;
}

void Reflection::subtract(const Vector& products, const double* v, Index rows, Matrix& m) {
  if (m.size() == 0) return;
  cblas_dger(CblasColMajor, static_cast<int>(rows), static_cast<int>(m.cols()), -1, v, 1, products.data(), 1,
             m.data(), static_cast<int>(rows));
}

Matrix Reflection::compress_symmetric(Matrix&& a) const {
  const Index n = a.rows();
  Vector p(n);
  cblas_dsymv(CblasColMajor, CblasLower, static_cast<int>(n), scale_, a.data(), static_cast<int>(n),
              v_.data(), 1, 0, p.data(), 1);
  const Vector q = p - (scale_ / 2 * p.dot(v_)) * v_;
  Matrix block(n - 1, n - 1);
  for (Index j = 1; j < n; ++j) {
    block.col(j - 1) = a.col(j).tail(n - 1) - q[j] * v_.tail(n - 1) - v_[j] * q.tail(n - 1);
  }
  a.resize(0, 0);
  return block;
}

}  // namespace gnomon
