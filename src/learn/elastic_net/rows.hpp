#pragma once

#include <vector>

#include "active_set.hpp"
#include "design.hpp"
#include "gnomon/core/types.hpp"

namespace gnomon::detail {

/// Where a wide path stands at one λ.
struct RowsPoint {
  std::vector<Index> columns;  ///< of non-zero coefficients, ascending
  std::vector<double> values;
  double rss = 0, held_out = 0;  ///< squared residuals of the training rows and of the others
  DualityTerms duality;
  double df = 0;
  bool unique = true;
  std::vector<Index> violators;  ///< columns outside the working set that break |g_j| ≤ τ
};

/// One path on some of the rows of a wide design: a working set of packed columns and their cross products.
class RowsPath {
 public:
  /// `order`: the training rows, then those held out.
  RowsPath(const ElasticNetDesign& design, const VectorView& y, std::vector<Index> order, Index train);

  double null_deviance() const { return null_deviance_; }
  double mean() const { return mean_; }
  bool in_working_set(Index column) const { return position_[static_cast<std::size_t>(column)] != outside; }
  Index active() const { return solver_.rank(); }
  Index working() const { return static_cast<Index>(columns_.size()); }

  /// Takes columns into the working set; those constant on the training rows are barred.
  void admit(const std::vector<Index>& columns);
  void begin_at(const PathFit& start);
  /// Solves on the working set and leaves the residual of the training rows, 0 elsewhere, in `residual`.
  RowsPoint solve(double tau, double mu, double tolerance, bool statistics, double* residual);
  /// The residual at a = 0.
  void null_residual(double* residual) const;

 private:
  static constexpr Index outside = -1, barred = -2;

  const ElasticNetDesign& design_;
  std::vector<Index> order_;
  Index train_;
  double weight_ = 0, mean_ = 0, null_deviance_ = 0;
  Vector root_, response_;       // in the order of `order_`
  std::vector<Index> columns_;   // the working set
  std::vector<Index> position_;  // per column of the design
  Matrix packed_, gram_;  // √w (x − x̄_train) of the working set; cross products over training rows
  std::vector<double> cross_;
  ActiveSet solver_;
};

}  // namespace gnomon::detail
