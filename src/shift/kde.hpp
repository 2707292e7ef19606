#pragma once

#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Kernel density estimate with a product of Gaussians, one bandwidth per input:
///   p(x) = (1/m) Σ_i Π_j φ((x_j − x_ij)/h_j) / h_j
struct KernelDensity {
  Matrix points;
  Vector bandwidth;

  /// log p at the rows of x, by log-sum-exp: never −∞, however far x is. 1 to 2 ns per pair of rows for ten
  /// inputs or fewer.
  Vector log_at(const MatrixView& x) const;
};

/// h_j = sd_j (4/((k + 2) m))^(1/(k + 4)), sd_j with divisor m − 1, for m rows of k inputs: the rule that is
/// best for a normal density. 0 for a constant column.
Vector normal_reference_bandwidth(const MatrixView& x);

/// Mean of the log density at each row, estimated from the other rows, with the bandwidths times each of the
/// given factors. One pass over the pairs of rows serves all factors.
Vector leave_one_out_log_likelihood(const KernelDensity& density, const std::vector<double>& factors);

/// exp(log_numerator − log_denominator), limited to 1e150 so that sums of squares stay finite.
Vector ratio_of_logs(const VectorView& log_numerator, const VectorView& log_denominator);

}  // namespace gnomon
