#include "factor.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>

namespace gnomon::svr {
namespace {
/// A pivot this small against the largest diagonal entry is rounding: the row depends on the others.
constexpr double rank_tolerance = 1e-12;
}  // namespace

FreeRows::FreeRows(const Gram& gram, bool intercept) : gram_(gram), intercept_(intercept) {
  const double largest = gram.rows() ? gram.diagonal().maxCoeff() : 0;
  shift_ = intercept ? (largest > 0 ? largest : 1) : 0;
  scale_ = largest + shift_;
}

void FreeRows::grow(Index size) {
  if (size <= l_.rows()) return;
  const Index old = l_.rows(), capacity = std::max<Index>({16, size, 2 * old});
  Matrix larger(capacity, capacity);
  larger.topLeftCorner(old, old) = l_;
  l_.swap(larger);
}

std::vector<Index> FreeRows::assign(std::vector<Index> candidates) {
  rows_.clear();
  const int m = static_cast<int>(candidates.size());
  if (m == 0) return {};
  grow(m);
  const int ld = static_cast<int>(l_.rows());
  const auto load = [&] {
    l_.topLeftCorner(m, m) = gram_.block(candidates);
    l_.topLeftCorner(m, m).array() += shift_;
  };
  load();
  const double threshold = rank_tolerance * scale_;
  bool regular = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', m, l_.data(), ld) == 0;
  for (Index k = 0; regular && k < m; ++k) regular = l_(k, k) * l_(k, k) > threshold;
  if (regular) {
    rows_ = std::move(candidates);
    return {};
  }
  load();
  std::vector<int> pivot(static_cast<std::size_t>(m));
  std::vector<double> work(static_cast<std::size_t>(2 * m));
  int rank = 0;
  LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', m, l_.data(), ld, pivot.data(), &rank, threshold, work.data());
  std::vector<Index> rest;
  for (int k = 0; k < m; ++k) {
    (k < rank ? rows_ : rest)
        .push_back(candidates[static_cast<std::size_t>(pivot[static_cast<std::size_t>(k)] - 1)]);
  }
  return rest;
}

bool FreeRows::append(Index i) {
  const Index m = size();
  Vector k(m);
  gram_.column(i, rows_, k.data());
  k.array() += shift_;
  const int ld = static_cast<int>(l_.rows());
  if (m > 0) {
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, static_cast<int>(m), l_.data(), ld,
                k.data(), 1);
  }
  const double pivot = gram_.diagonal()[i] + shift_ - k.squaredNorm();
  if (pivot <= rank_tolerance * scale_) {
    dependence_ = -k;
    if (m > 0) {
      cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, static_cast<int>(m), l_.data(), ld,
                  dependence_.data(), 1);
    }
    return false;
  }
  grow(m + 1);
  l_.row(m).head(m) = k.transpose();
  l_(m, m) = std::sqrt(pivot);
  rows_.push_back(i);
  return true;
}

void FreeRows::remove(Index position) {
  const Index m = size() - 1;
  for (Index c = 0; c <= m; ++c) {
    double* column = l_.col(c).data();
    const Index from = std::max(position, c - 1);
    for (Index r = from; r < m; ++r) column[r] = column[r + 1];
  }
  for (Index k = position; k < m; ++k) {
    double a = l_(k, k), b = l_(k, k + 1), cosine = 1, sine = 0;
    cblas_drotg(&a, &b, &cosine, &sine);
    const int below = static_cast<int>(m - k);
    cblas_drot(below, l_.col(k).data() + k, 1, l_.col(k + 1).data() + k, 1, cosine, sine);
    if (l_(k, k) < 0) l_.col(k).segment(k, below) *= -1;
  }
  rows_.erase(rows_.begin() + position);
}

void FreeRows::divide(Eigen::Ref<Matrix> x) const {
  const int m = static_cast<int>(size()), ld = static_cast<int>(l_.rows());
  if (m == 0 || x.cols() == 0) return;
  for (const auto side : {CblasNoTrans, CblasTrans}) {
    if (x.cols() <= 4) {  // dtrsm would copy the factor
      for (Index j = 0; j < x.cols(); ++j) {
        cblas_dtrsv(CblasColMajor, CblasLower, side, CblasNonUnit, m, l_.data(), ld, x.col(j).data(), 1);
      }
    } else {
      cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, side, CblasNonUnit, m, static_cast<int>(x.cols()), 1,
                  l_.data(), ld, x.data(), static_cast<int>(x.outerStride()));
    }
  }
}

double FreeRows::solve(const VectorView& rhs, double total, Vector& d) const {
  if (!intercept_) {
    d = rhs;
    divide(d);
    return 0;
  }
  // A constant in rhs goes to δ alone; within it, it would cost d its digits.
  const double level = rhs.size() ? rhs.mean() : 0;
  Matrix both(size(), 2);
  both.col(0) = rhs.array() - level;
  both.col(1).setOnes();
  divide(both);
  const double delta = (both.col(0).sum() - total) / both.col(1).sum();
  d = both.col(0) - delta * both.col(1);
  return level + delta + shift_ * total;
}

}  // namespace gnomon::svr
