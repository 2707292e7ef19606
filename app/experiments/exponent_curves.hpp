#pragma once

#include <vector>

#include "gnomon/criteria/criterion.hpp"

namespace gnomon::app {

/// Importance-weighted least squares at every flattening exponent, and what Ĵ, 10-fold cv and 10-fold iwcv say of it.
struct ExponentCurves {
  Vector jhat;  ///< Ĵ, estimates J less a constant (math: |a|²_U − 2⟨a, a_u⟩_U + 2σ² tr(U L L_uᵀ))
  Vector cv, iwcv;    ///< means over folds, iwcv as published: not over the mean ratio
  Matrix parameters;  ///< (coefficients; offset), one column per exponent
};

/// 0, 0.05, …, 1.
std::vector<double> flattening_exponents();

/// Model 1, x_1, …, x_d. `importance` is p_test/p_train at the rows, `metric` where the error is measured; the noise
/// variance is that of ordinary least squares.
ExponentCurves exponent_curves(const Matrix& x, const Vector& y, const Vector& importance,
                               const MetricPoints& metric, std::uint64_t fold_seed);

/// Where a curve is least: the first of equals.
Index least(const VectorView& curve);

/// For every trial (row) the value of `error` where `criterion` is least.
Vector at_least(const MatrixView& error, const MatrixView& criterion);

/// A curve's mean over trials with a band of one standard deviation.
struct MeanCurve {
  Vector mean, deviation;
};
MeanCurve mean_curve(const MatrixView& trials);

/// "j_0.05": the columns of trials.csv for one curve.
std::vector<std::string> exponent_columns(std::string_view curve);

}  // namespace gnomon::app
