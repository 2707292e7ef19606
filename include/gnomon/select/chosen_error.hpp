#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// What another criterion's choice would have cost, on the same held-out rows: its mean error less that of the chosen point,
/// with the standard error of this difference from the rows' own differences.
struct ErrorDifference {
  std::string criterion;
  double value = undefined, standard_error = undefined;

  /// Whether the rows tell the two choices apart.
  bool is_told_apart() const { return std::abs(value) > standard_error; }
};

/// The error on new data of the fit that is delivered, and an interval that counts its having been chosen. The least of many
/// estimated errors is too small an estimate of its own error; here the choice is repeated, and judged on rows that had no part in
/// it. docs/theory/error-after-choosing.md.
struct ChosenError {
  double value = undefined;
  double low = undefined, high = undefined;
  double level = 0.9;
  std::string estimates;  ///< "mean squared error on new data", or what stands for it
  std::string method;     ///< how it was obtained, in words

  double baseline = undefined;  ///< the same error of the best constant, each row left out
  bool squared = true;          ///< a squared error, so that it has a root; false: cross-entropy of classes
  double error_rate =
      undefined;  ///< classes: the share of held-out rows put into another class than their own
  std::vector<ErrorDifference> differences{};
  Vector residual{};  ///< y − f of every row by a fit that had not seen it; empty for classes

  double rmse() const { return squared ? std::sqrt(value) : undefined; }
  double r_squared() const { return squared ? 1 - value / baseline : undefined; }
};

}  // namespace gnomon
