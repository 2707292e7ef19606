#include "dual_by_rows.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

/// The rows of a matrix, longest first.
std::vector<Index> by_length(const Matrix& rows) {
  const Vector length = rows.rowwise().norm();
  std::vector<Index> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return length[a] > length[b]; });
  return order;
}

}  // namespace

DualByRows::DualByRows(const Matrix& r, const Vector& decay, double samples) : root_(decay.cwiseSqrt()) {
  const Index k = r.rows(), p = r.cols();
  Matrix w(p + k, k);
  w.topRows(p) = root_.cwiseInverse().asDiagonal() * r.transpose();
  w.bottomRows(k) = std::sqrt(samples) * Matrix::Identity(k, k);
  sorted_ = by_length(w);
  reflectors_ = w(sorted_, Eigen::all);
  std::vector<lapack_int> pivots(static_cast<std::size_t>(k), 0);
  tau_.resize(k);
  const int info = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, lapack::as_int(p + k), lapack::as_int(k),
                                  reflectors_.data(), lapack::as_int(p + k), pivots.data(), tau_.data());
  require(info == 0, "ridge: LAPACK dgeqp3 refused argument {}; a value is not finite", -info);
  for (const lapack_int pivot : pivots) order_.push_back(pivot - 1);
}

void DualByRows::turn(char transpose, Matrix& m) const {
  const int rows = lapack::as_int(m.rows());
  LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', transpose, rows, lapack::as_int(m.cols()), lapack::as_int(size()),
                 reflectors_.data(), rows, tau_.data(), m.data(), rows);
}

Matrix DualByRows::weights_of(const Matrix& m) const {
  Matrix unsorted(m.rows(), m.cols());
  unsorted(sorted_, Eigen::all) = m;
  return root_.cwiseInverse().asDiagonal() * unsorted.topRows(root_.size());
}

Matrix DualByRows::gain() const {
  const int rows = lapack::as_int(reflectors_.rows()), columns = lapack::as_int(size());
  Matrix image = Matrix::Zero(rows, columns);
  for (Index j = 0; j < size(); ++j) image(j, order_[static_cast<std::size_t>(j)]) = 1;
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, columns, columns, 1,
              reflectors_.data(), rows, image.data(), rows);
  turn('N', image);
  return weights_of(image);
}

Vector DualByRows::solve(const Vector& u) const {
  Vector stacked = Vector::Zero(reflectors_.rows());
  stacked.head(root_.size()) = u.cwiseQuotient(root_);
  Matrix turned = stacked(sorted_);
  turn('T', turned);
  turned.topRows(size()).setZero();
  turn('N', turned);
  return weights_of(turned);
}

}  // namespace gnomon
