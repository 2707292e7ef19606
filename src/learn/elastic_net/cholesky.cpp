#include "cholesky.hpp"

#include <lapacke.h>

#include <algorithm>
#include <cmath>

#include "kernels.hpp"

namespace gnomon::detail {

void GrowingCholesky::reserve(Index size) {
  if (size <= stride_) return;
  const Index stride = std::max<Index>({size, 2 * stride_, 32});
  std::vector<double> larger(static_cast<std::size_t>(stride * stride));
  for (Index j = 0; j < size_; ++j) std::copy_n(l_.data() + j * stride_, size_, larger.data() + j * stride);
  l_.swap(larger);
  stride_ = stride;
  reciprocal_.resize(static_cast<std::size_t>(stride));
  work_.resize(static_cast<std::size_t>(stride));
}

bool GrowingCholesky::assign(const double* matrix, Index stride, const std::vector<Index>& index,
                             double ridge, double tolerance) {
  size_ = 0;
  const Index k = static_cast<Index>(index.size());
  reserve(k);
  for (Index j = 0; j < k; ++j) {
    const double* from = matrix + index[static_cast<std::size_t>(j)] * stride;
    double* to = l_.data() + j * stride_;
    for (Index i = j; i < k; ++i) to[i] = from[index[static_cast<std::size_t>(i)]];
    to[j] += ridge;
    work_[static_cast<std::size_t>(j)] = to[j];
  }
  if (k > 0 && LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', static_cast<int>(k), l_.data(),
                                   static_cast<int>(stride_)) != 0)
    return false;
  for (Index j = 0; j < k; ++j) {
    const double pivot = l_[static_cast<std::size_t>(j * stride_ + j)];
    if (!(pivot * pivot > tolerance * work_[static_cast<std::size_t>(j)])) return false;
    reciprocal_[static_cast<std::size_t>(j)] = 1 / pivot;
  }
  size_ = k;
  return true;
}

bool GrowingCholesky::append(const double* cross, double diagonal, double tolerance) {
  reserve(size_ + 1);
  std::copy_n(cross, size_, work_.data());
  lower_solve(size_, l_.data(), stride_, reciprocal_.data(), work_.data());
  const double left = diagonal - centred_dot(size_, work_.data(), 0, work_.data());
  if (!(left > tolerance * diagonal)) return false;
  for (Index j = 0; j < size_; ++j)
    l_[static_cast<std::size_t>(j * stride_ + size_)] = work_[static_cast<std::size_t>(j)];
  const double root = std::sqrt(left);
  l_[static_cast<std::size_t>(size_ * stride_ + size_)] = root;
  reciprocal_[static_cast<std::size_t>(size_)] = 1 / root;
  ++size_;
  return true;
}

void GrowingCholesky::remove(Index position) {
  double* l = l_.data();
  double* dropped = work_.data();  // what the dropped column held below the dropped row
  const Index below = size_ - position - 1;
  std::copy_n(l + position * stride_ + position + 1, below, dropped);
  for (Index j = 0; j < position; ++j) {
    double* column = l + j * stride_;
    std::copy(column + position + 1, column + size_, column + position);
  }
  for (Index m = 0; m < below; ++m) {
    const Index old = position + m + 1, now = old - 1;
    double* column = l + now * stride_ + now;
    std::copy_n(l + old * stride_ + old, below - m, column);
    const double length = std::hypot(column[0], dropped[m]);
    const double c = column[0] / length, s = dropped[m] / length;
    column[0] = length;
    reciprocal_[static_cast<std::size_t>(now)] = 1 / length;
    rotate(below - m - 1, c, s, column + 1, dropped + m + 1);
  }
  --size_;
}

void GrowingCholesky::solve(double* x) const {
  lower_solve(size_, l_.data(), stride_, reciprocal_.data(), x);
  lower_transposed_solve(size_, l_.data(), stride_, reciprocal_.data(), x);
}

double GrowingCholesky::inverse_trace() const {
  if (size_ == 0) return 0;
  std::vector<double> inverse(l_.begin(), l_.begin() + size_ * stride_);
  LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'L', 'N', static_cast<int>(size_), inverse.data(),
                 static_cast<int>(stride_));
  double sum = 0;
  for (Index j = 0; j < size_; ++j) {
    const double* column = inverse.data() + j * stride_ + j;
    sum += centred_dot(size_ - j, column, 0, column);
  }
  return sum;
}

}  // namespace gnomon::detail
