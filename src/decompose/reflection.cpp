#include "gnomon/decompose/reflection.hpp"

#include <cmath>

#include "lapack.hpp"

namespace gnomon {

Reflection::Reflection(const VectorView& direction) : v_(direction.normalized()) {
  v_[0] += std::copysign(1.0, v_[0]);  // away from cancellation
  scale_ = 2 / v_.squaredNorm();
}

Matrix Reflection::compress(const MatrixView& m) const {
  const Eigen::RowVectorXd along = scale_ * (v_.transpose() * m);
  return m.bottomRows(m.rows() - 1) - v_.tail(m.rows() - 1) * along;
}

Matrix Reflection::expand(const MatrixView& m) const {
  const Eigen::RowVectorXd along = scale_ * (v_.tail(m.rows()).transpose() * m);
  Matrix full(m.rows() + 1, m.cols());
  for (Index j = 0; j < m.cols(); ++j) {
    full.col(j) = -along[j] * v_;
    full.col(j).tail(m.rows()) += m.col(j);
  }
  return full;
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
