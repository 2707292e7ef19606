#include "reflection.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/parallel.hpp"
#include "lapack.hpp"
#include "shared_cholesky.hpp"

namespace gnomon {
namespace {

/// body(0) … body(count − 1), threads sharing what is long enough to be worth it.
template <class Body>
void in_chunks(Index count, const Body& body) {
  constexpr Index chunk = 256;
  const auto run = [&](Index c) {
    for (Index i = c * chunk; i < std::min(count, (c + 1) * chunk); ++i) body(i);
  };
  const Index chunks = (count + chunk - 1) / chunk;
  if (chunks > 2)
    parallel_for(chunks, run);
  else
    for (Index c = 0; c < chunks; ++c) run(c);
}

}  // namespace

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

Vector Reflection::squared_rows_of_expanded_inverse(const Matrix& l) const {
  const Index m = l.rows();
  Vector p = scale_ * v_.tail(m);
  solve_lower(l, CblasNoTrans, p);
  Vector squares(m + 1);
  squares[0] = v_[0] * v_[0] * p.squaredNorm();
  visit_inverse(l, [&](Index first, const Matrix& columns) {
    for (Index k = 0; k < columns.cols(); ++k) {
      const Index i = first + k;
      const double v = v_[i + 1];
      squares[i + 1] =
          v * v * p.head(i).squaredNorm() + (columns.col(k).tail(m - i) - v * p.tail(m - i)).squaredNorm();
    }
  });
  return squares;
}

Matrix Reflection::compress_symmetric(Matrix&& a) const {
  const Index n = a.rows(), m = n - 1;
  if (m == 0) return Matrix(0, 0);
  const Vector p = lapack::symmetric_times(a, v_, scale_);
  const Vector q = p - (scale_ / 2 * p.dot(v_)) * v_;
  in_chunks(m, [&](Index j) {
    a.col(j + 1).tail(m) = a.col(j + 1).tail(m) - q[j + 1] * v_.tail(m) - v_[j + 1] * q.tail(m);
  });
  // The block moves to the front of its storage, which shrinks to it: a second matrix would double the memory of most decompositions.
  for (Index j = 0; j < m; ++j) std::copy_n(&a(1, j + 1), m, a.data() + j * m);
  a.resize(1, n * n);
  a.conservativeResize(1, m * m);
  a.resize(m, m);
  return std::move(a);
}

}  // namespace gnomon
