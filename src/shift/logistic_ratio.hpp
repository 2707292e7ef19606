#pragma once

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Logistic discrimination between the samples. With s_i = 1 for test and 0 for training rows and η = a + fᵀc,
///   minimise Σ_i [log(1 + e^{η_i}) − s_i η_i] + (λ/2) ‖c‖²   (the intercept a is free)
/// and, since e^η estimates (m p_test)/(n p_train),   w(x) = (n/m) e^{η(x)}.
struct LogisticFit {
  double intercept = 0;
  Vector coefficients;
  double gradient = undefined;  ///< largest entry of the gradient, per row
  int iterations = 0;
  bool converged = false;

  Vector predictor(const MatrixView& features) const;
};

/// Newton's method with step halving, from `start` if it is given. O(rows·columns²) per iteration.
LogisticFit logistic_fit(const MatrixView& features, const VectorView& is_test, double lambda,
                         const LogisticFit* start = nullptr);

/// Mean of log(1 + e^η) − s η.
double log_loss(const VectorView& predictor, const VectorView& is_test);

/// The columns of x and, if asked for, their squares and products.
Matrix logistic_terms(const MatrixView& x, bool quadratic);

}  // namespace gnomon
