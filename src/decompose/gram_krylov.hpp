#pragma once

#include <span>

#include "gnomon/core/types.hpp"

namespace gnomon::detail {

/// Tikhonov coefficients (xx + λI)⁻¹ xy of a whole path from one Krylov space, when few steps are enough:
/// true if every residual satisfies ‖r‖ ≤ λ·accuracy, which bounds the error of the coefficients by
/// `accuracy`. Gives up (false, path untouched) as soon as convergence within p/8 steps looks unlikely, at
/// the price of a few products with xx.
bool krylov_coefficients(const MatrixView& xx, const VectorView& xy, std::span<const double> lambdas,
                         double accuracy, Matrix& path);

}  // namespace gnomon::detail
