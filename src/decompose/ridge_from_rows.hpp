#pragma once

#include <span>
#include <vector>

#include "gram_statistics.hpp"

namespace gnomon {

/// A ridge path on some rows of a design, about their weighted means.
struct RidgeFromRows {
  Vector x_mean;  ///< 0 without an intercept
  double y_mean = 0;
  Matrix coefficients;  ///< p × lambdas
};

/// From singular values of the rows, not from their cross products: at λ = 0 least squares of least norm, whatever rank
/// the rows have and whatever the units of the columns. `weight` empty = ones; gain empty = Tikhonov. O(n p min(n,p)).
RidgeFromRows ridge_from_rows(const Matrix& features, const VectorView& y, const VectorView& weight,
                              const std::vector<Index>& rows, bool intercept, std::span<const double> lambdas,
                              const SpectralGain& gain = {});

/// Which λ are too small for cross products of `rows` rows and this trace to tell a direction from rounding.
std::vector<Index> at_rounding_level(std::span<const double> lambdas, Index rows, Index columns,
                                     double trace);

/// The same where these cross products do leave a doubt: none while every direction stands clear of rounding.
std::vector<Index> in_doubt(std::span<const double> lambdas, const CentredGram& training);

}  // namespace gnomon
