#include "fold_krylov.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gnomon::detail {

FoldKrylov::FoldKrylov(const KernelFold& fold, bool intercept) : fold_(fold), intercept_(intercept) {
  target_norm_ = fold.target.norm();
  complete_ = target_norm_ == 0;
  if (complete_) return;
  basis_.resize(fold.train.size());
  for (std::size_t i = 0; i < fold.train.size(); ++i)
    basis_[i] = fold.target[static_cast<Index>(i)] / target_norm_;
}

void FoldKrylov::scatter(double* column) const {
  const std::size_t rows = fold_.train.size();
  const double* q = basis_.data() + basis_.size() - rows;
  for (std::size_t i = 0; i < rows; ++i) column[fold_.train[i]] = fold_.root[static_cast<Index>(i)] * q[i];
}

void FoldKrylov::advance(const double* image) {
  const std::size_t rows = fold_.train.size(), tests = fold_.test.size();
  const int m = static_cast<int>(rows), count = static_cast<int>(steps() + 1);
  Vector w(m);
  for (std::size_t i = 0; i < rows; ++i)
    w[static_cast<Index>(i)] = fold_.root[static_cast<Index>(i)] * image[fold_.train[i]];
  double mean = 0;
  const auto project = [&] {
    const double along = cblas_ddot(m, fold_.direction.data(), 1, w.data(), 1);
    cblas_daxpy(m, -along, fold_.direction.data(), 1, w.data(), 1);
    return along;
  };
  if (intercept_) mean = project() / std::sqrt(fold_.train_weight);
  held_.resize(held_.size() + tests);
  double* held = held_.data() + held_.size() - tests;
  for (std::size_t i = 0; i < tests; ++i) held[i] = image[fold_.test[i]] - mean;

  // The three-term recurrence, then classical Gram–Schmidt against the whole basis, repeated while it
  // cancels: orthogonal to rounding, mostly at the price of one pass.
  scale_ = std::max(scale_, cblas_dnrm2(m, w.data(), 1));
  const double* newest = basis_.data() + basis_.size() - rows;
  double alpha = cblas_ddot(m, newest, 1, w.data(), 1);
  cblas_daxpy(m, -alpha, newest, 1, w.data(), 1);
  if (count > 1) cblas_daxpy(m, -beta_.back(), newest - rows, 1, w.data(), 1);
  Vector along(count);
  double before = cblas_dnrm2(m, w.data(), 1), norm = before;
  for (int pass = 0; pass < 3; ++pass) {
    cblas_dgemv(CblasColMajor, CblasTrans, m, count, 1, basis_.data(), m, w.data(), 1, 0, along.data(), 1);
    cblas_dgemv(CblasColMajor, CblasNoTrans, m, count, -1, basis_.data(), m, along.data(), 1, 1, w.data(), 1);
    alpha += along[count - 1];
    if (intercept_) project();
    norm = cblas_dnrm2(m, w.data(), 1);
    if (norm > 0.5 * before) break;
    before = norm;
  }
  alpha_.push_back(alpha);
  beta_.push_back(norm);
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * scale_;
  if (norm <= rounding || rows <= static_cast<std::size_t>(count)) {
    complete_ = true;
    return;
  }
  basis_.resize(basis_.size() + rows);
  double* next = basis_.data() + basis_.size() - rows;
  for (std::size_t i = 0; i < rows; ++i) next[i] = w[static_cast<Index>(i)] / norm;
}

}  // namespace gnomon::detail
