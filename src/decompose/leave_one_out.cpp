#include <algorithm>

#include "core/lanes.hpp"
#include "decomposition.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon {
namespace {

/// Adds Σ w e² and Σ w e⁴ of one block of rows at one λ. root = √w, share = u/w.
GNOMON_HOT void add_block(const double* residual, const double* complement, const double* root,
                          const double* share, Index rows, double* squares, double* fourths) {
  double s2[kLanes] = {}, s4[kLanes] = {};
  Index i = 0;
  for (; i + kLanes <= rows; i += kLanes) {
    for (Index l = 0; l < kLanes; ++l) {
      const double q = residual[i + l] / ((1 - share[i + l]) + share[i + l] * complement[i + l]);  // √w e
      const double q2 = q * q;
      s2[l] += q2;
      s4[l] += q2 * q2 / (root[i + l] * root[i + l]);
    }
  }
  for (; i < rows; ++i) {
    const double q = residual[i] / ((1 - share[i]) + share[i] * complement[i]);
    s2[0] += q * q;
    s4[0] += q * q * q * q / (root[i] * root[i]);
  }
  for (Index l = 0; l < kLanes; ++l) *squares += s2[l], *fourths += s4[l];
}

}  // namespace

Vector left_out_share(const Vector& root_weight) {
  return root_weight.cwiseAbs2().unaryExpr([](double w) { return std::min(1.0, w) / w; });
}

LeaveOneOutSums Decomposition::leave_one_out(const Filter& filter, std::span<const double> lambdas,
                                             Index target) const {
  const Index m = static_cast<Index>(lambdas.size());
  LeaveOneOutSums sums{Vector::Zero(m), Vector::Zero(m), Vector::Ones(m), rows_.count,
                       rows_.root_weight.size()};
  const Vector share = left_out_share(rows_.root_weight);
  visit_rows(filter, lambdas, target, [&](Index first, const Matrix& residual, const Matrix& complement) {
    const auto part = share.segment(first, residual.rows()).array();
    for (Index k = 0; k < m; ++k) {
      sums.least[k] = std::min(sums.least[k], ((1 - part) + part * complement.col(k).array()).minCoeff());
      add_block(residual.col(k).data(), complement.col(k).data(), rows_.root_weight.data() + first,
                share.data() + first, residual.rows(), &sums.squares[k], &sums.fourths[k]);
    }
  });
  return sums;
}

}  // namespace gnomon
