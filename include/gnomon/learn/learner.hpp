#pragma once

#include <span>
#include <vector>

#include "gnomon/core/progress.hpp"
#include "gnomon/data/folds.hpp"
#include "gnomon/decompose/fold_errors.hpp"
#include "gnomon/decompose/spectrum.hpp"
#include "gnomon/learn/linear_model.hpp"

namespace gnomon {

class Smoother;
class PathLearner;

/// Mean squared leave-one-out error along a path with its standard error.
struct ErrorPath {
  Vector value, standard_error;
};

/// A learner on one data set as criteria and selection see it: a path of fits over λ. There are two kinds. A
/// Smoother is linear in y and has a spectrum from which everything follows; a PathLearner is anything else and is
/// solved anew for every y.
class Learner {
 public:
  virtual ~Learner() = default;

  virtual Index rows() const = 0;
  virtual Index targets() const = 0;
  virtual double count() const = 0;  ///< number of observations n, the sum of the weights
  virtual bool intercept() const = 0;
  virtual bool is_kernel() const = 0;
  /// Columns of the design that the parameters live in (basis) or rows (kernel).
  virtual Index parameters() const = 0;
  /// Σ w y², about the mean where there is an intercept.
  virtual double total(Index target) const = 0;

  /// Residual sum of squares, degrees of freedom and, for smoothers, all that the spectrum gives.
  virtual std::vector<SpectralSums> sums(std::span<const double> lambdas, Index target) const = 0;
  /// Held-out errors of refits without each fold.
  virtual FoldErrors fold_errors(std::span<const double> lambdas, Index target, const Folds& folds,
                                 const Progress& progress = {}) const = 0;
  virtual ErrorPath leave_one_out(std::span<const double> lambdas, Index target,
                                  const Progress& progress = {}) const = 0;
  /// Why leave-one-out is not offered, or an empty text.
  virtual std::string no_leave_one_out() const = 0;
  /// The fit, with one λ per target.
  virtual LinearModel fit(std::span<const double> lambdas) const = 0;

  /// The learner itself if it is linear in y, else null.
  virtual const Smoother* linear() const { return nullptr; }
  /// The learner itself if it is solved anew for every y, else null.
  virtual const PathLearner* solved() const { return nullptr; }
  /// Ridge on the same design: the learner itself if it is linear, else its companion, which supplies the
  /// least-squares reference and estimates of the noise.
  virtual const Smoother& smoother() const = 0;
};

}  // namespace gnomon
