#pragma once

#include <cmath>
#include <string_view>

namespace gnomon {

/// What a spectral learner does in one eigendirection of its Gram matrix, where the data have the coordinate
/// z: coefficient gain·z, fitted value (1 − complement)·z, residual complement·z. `complement` is formed
/// directly, never as 1 − fitted: near interpolation the subtraction has no digits left.
struct FilterValue {
  double gain, complement;
};

/// Which shifted solve the filter amounts to; this is what lets criteria be read off a tridiagonal matrix.
enum class Shift {
  none,
  plain,   ///< gain = 1/(d + λ)
  squared  ///< gain = d/(d² + λ)
};

/// log(1 + m/λ), also where the ratio overflows.
inline double log_one_plus_ratio(double m, double lambda) {
  const double ratio = m / lambda;
  return std::isinf(ratio) ? std::log(m) - std::log(lambda) : std::log1p(ratio);
}

/// A learner that is linear in y on one design: a function of the eigenvalues d of its Gram matrix.
/// To add one, write `value` in a file of src/learn/filters/ and declare it in learn/filters.hpp.
struct Filter {
  std::string_view name;
  /// λ > 0, or λ = 0 with d > 0; `top` is the largest eigenvalue.
  FilterValue (*value)(double d, double lambda, double top);
  /// log(1 + m/λ), m/λ = prior variance over noise variance in this direction; null if there is no Gaussian
  /// prior.
  double (*log_prior_ratio)(double d, double lambda);
  Shift shift;
  /// Every direction counts, however small d: gain → 0 with d, so no tolerance on the range of the Gram is
  /// needed.
  bool whole_range;
  /// Deleting rows and refitting has a closed form (the fit is a penalised least-squares problem).
  bool closed_form_deletion;
};

}  // namespace gnomon
