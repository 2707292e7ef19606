#pragma once

#include <optional>
#include <span>
#include <vector>

#include "decompose/gram_statistics.hpp"

namespace gnomon {

/// Second moments of each fold's rows under powers w^l of the importance: each row counted once (l = 0) and each row
/// times its importance (l = 1), which least-squares fits of any exponent are judged by; and those of the exponents
/// named, from which their fits follow without going over the rows again.
class HeldOutMoments {
 public:
  /// One pass over the rows for all exponents. `paired`: also the moments under w^(1+l) of all rows, which tie the fit
  /// of exponent l to the fully weighted one.
  HeldOutMoments(const MatrixView& features, const MatrixView& y, const VectorView& importance,
                 std::span<const int> fold_of_row, int folds, const std::vector<double>& exponents = {},
                 bool paired = false);

  /// Moments under w^l per fold; null if the exponent was not named or they overflow.
  const GramStatistics* under(double exponent) const { return find(statistics_, exponent); }
  /// Moments under w^(1+l), all rows in one fold; null if they were not asked for or overflow.
  const GramStatistics* paired(double exponent) const { return find(paired_, exponent); }
  const Vector& importance() const { return importance_; }

  /// Cross-validation errors of ridge on the training moments (the same folds, weights of the fit). Empty where the cross
  /// products are too ill conditioned for it, or the errors cancel in them: refit on the rows then.
  std::optional<FoldErrors> fold_errors(const GramStatistics& training, Index target,
                                        std::span<const double> lambdas, bool intercept) const;

 private:
  const GramStatistics* find(const std::vector<GramStatistics>& among, double exponent) const;

  Vector importance_;
  std::vector<double> exponents_;  // 0 and 1 first
  std::vector<GramStatistics> statistics_, paired_;
};

/// Smallest eigenvalue over largest above which normal equations keep half the digits.
inline constexpr double well_conditioned_moments = 1e-8;

/// yy − 2βᵀxy + βᵀxxβ, undefined where less than 1e-6 of its terms is left.
double squared_errors(const CentredGram& moments, Index target, const Vector& beta);

}  // namespace gnomon
