#include "pivoted_cholesky.hpp"

#include <cmath>
#include <limits>

#include "lapack.hpp"

namespace gnomon {

std::optional<LowRankFactor> pivoted_cholesky(const MatrixView& a, Index max_rank) {
  const Index n = a.rows();
  Vector remaining = a.diagonal();
  const double top = remaining.maxCoeff(), start = remaining.sum();
  const double stop = 4 * std::numeric_limits<double>::epsilon() * top;
  constexpr Index probe = 16;
  double before = start;  // remaining trace one probe ago
  Matrix factor(n, max_rank);
  for (Index k = 0;; ++k) {
    Index pivot;
    const double largest = remaining.maxCoeff(&pivot);
    const double trace = remaining.cwiseMax(0).sum();
    if (!(largest > stop)) return LowRankFactor{factor.leftCols(k), trace};
    if (k == max_rank) return std::nullopt;
    if (k > 0 && k % probe == 0 && max_rank < n) {
      // Remainders that matter here fall ever faster; at the present rate, will this one be gone in time?
      const double per_step = std::log(before / trace) / static_cast<double>(probe);
      const double steps = std::log(trace / (stop * static_cast<double>(n))) / std::max(per_step, 1e-300);
      if (static_cast<double>(k) + steps > static_cast<double>(max_rank)) return std::nullopt;
      before = trace;
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
