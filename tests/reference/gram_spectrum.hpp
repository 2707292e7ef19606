#pragma once

#include <span>

#include "decompose/gram_leave_one_out.hpp"

namespace gnomon::reference {

/// The spectrum that gram_leave_one_out takes, by one eigendecomposition of the cross products.
GramSpectrum gram_spectrum(const CentredGram& gram, Index target);

/// h(λ) = d/(d+λ), eigenvalues × lambdas.
Matrix tikhonov_filter(const GramSpectrum& spectrum, std::span<const double> lambdas);

}  // namespace gnomon::reference
