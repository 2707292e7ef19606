#include "gnomon/decompose/pivoted_cholesky.hpp"

#include <cmath>
#include <limits>

#include "lapack.hpp"

namespace gnomon {

std::optional<LowRankFactor> pivoted_cholesky(const MatrixView& a, Index max_rank) {
  const Index n = a.rows();
  Vector remaining = a.diagonal();
  const double top = remaining.maxCoeff(), start = remaining.sum();
  const double stop = 4 * std::numeric_limits<double>::epsilon() * top;
  const Index probe = std::max<Index>(16, max_rank / 8);
  Matrix factor(n, max_rank);
  for (Index k = 0;; ++k) {
    Index pivot;
    const double largest = remaining.maxCoeff(&pivot);
    const double trace = remaining.cwiseMax(0).sum();
    if (!(largest > stop)) return LowRankFactor{factor.leftCols(k), trace};
    if (k == max_rank) return std::nullopt;
    if (k > 0 && k % probe == 0 && max_rank < n) {
      // Remainders of smooth kernels fall at least geometrically; slower decay never reaches `stop` in time.
      const double per_step = std::log(trace / start) / static_cast<double>(k);
      const double left = std::log(stop * static_cast<double>(n) / start) / std::min(per_step, -1e-300);
      if (left > 2 * static_cast<double>(max_rank)) return std::nullopt;
    }
    auto column = factor.col(k);
    column = a.col(pivot);
    if (k > 0) {
      const Vector row = factor.row(pivot).head(k);
      cblas_dgemv(CblasColMajor, CblasNoTrans, static_cast<int>(n), static_cast<int>(k), -1, factor.data(),
                  static_cast<int>(n), row.data(), 1, 1, column.data(), 1);
    }
    column /= std::sqrt(largest);
    remaining -= column.cwiseAbs2();
    remaining[pivot] = 0;
  }
}

}  // namespace gnomon
