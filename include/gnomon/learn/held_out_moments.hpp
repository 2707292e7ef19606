#pragma once

#include <optional>
#include <span>

#include "gnomon/decompose/gram_statistics.hpp"

namespace gnomon {

/// Second moments of each fold's rows, each row counted once and each row times its importance: what least-squares fits
/// of any flattening exponent are judged by, so that a further exponent costs one pass over the rows.
class HeldOutMoments {
 public:
  /// Two passes over the rows, n(p+q+1)² each.
  HeldOutMoments(const MatrixView& features, const MatrixView& y, const VectorView& importance,
                 std::span<const int> fold_of_row, int folds);

  /// Cross-validation errors of ridge on the training moments (the same folds, weights of the fit). Empty where the cross
  /// products are too ill conditioned for it, or the errors cancel in them: refit on the rows then.
  std::optional<FoldErrors> fold_errors(const GramStatistics& training, Index target,
                                        std::span<const double> lambdas, bool intercept) const;

 private:
  GramStatistics counted_, weighted_;
};

/// Smallest eigenvalue over largest above which normal equations keep half the digits.
inline constexpr double well_conditioned_moments = 1e-8;

}  // namespace gnomon
