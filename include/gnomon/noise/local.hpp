#pragma once

// Estimates of the noise variance from the rows alone: no learner, no path.

#include <optional>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Noise variance from first differences in the order of one input (Rice, Ann. Statist. 12, 1984):
///   σ² = Σ (y_(i+1) − y_(i))² / (2(n−1)),   (·) the stable order by x.
/// Assumes a function that hardly moves between neighbouring inputs; what it moves adds to the estimate.
/// Undefined for n < 2. Takes no weights: a repeated row would be its own neighbour. Cost: O(n log n).
std::optional<double> rice(VectorView x, VectorView y);

/// Noise variance from three-point pseudo-residuals in the order of one input
/// (Gasser, Sroka and Jennen-Steinmetz, Biometrika 73, 1986):
///   e_i = a y_(i−1) + b y_(i+1) − y_(i),  a = (x_(i+1) − x_(i)) / (x_(i+1) − x_(i−1)),  b = 1 − a,
///   σ² = mean over the n−2 inner points of e_i² / (a² + b² + 1);   a = b = 1/2 where x_(i+1) = x_(i−1).
/// Exact on straight lines. Undefined for n < 3. Takes no weights, for the reason given at `rice`. Cost: O(n
/// log n).
std::optional<double> gsj(VectorView x, VectorView y);

/// Noise variance from nearest neighbours, any number of inputs:
///   σ² = mean_i (y_i − y_nn(i))² / 2,   nn(i) the nearest other row, the first one in case of a tie.
/// Assumes a function that hardly moves between neighbours: in many dimensions neighbours are far and the
/// estimate is too large. Undefined for n < 2. Cost: O(n² d), a block of rows at a time.
///
/// Weights enter as those of the mean, and rows of weight 0 are left out. They do not stand for repeated rows
/// here: a copy would be its own nearest neighbour and say that there is no noise.
std::optional<double> nearest(MatrixView x, VectorView y, VectorView weight = Vector());

/// Noise variance pooled within groups of rows with exactly equal inputs:
///   σ² = Σ_g Σ_{i∈g} (y_i − ȳ_g)² / Σ_g (n_g − 1).
/// Assumes nothing about the function. Undefined without repeats. Weight k means the row occurs k times: n_g
/// is the sum of weights and means and squares are weighted. Cost: O(n d log n).
std::optional<double> pure_error(MatrixView x, VectorView y, VectorView weight = Vector());

}  // namespace gnomon
