#pragma once

#include "gnomon/adaptive/counted_error.hpp"

namespace gnomon::adaptive {

/// Akaike's final prediction error, S(n + p)/(n − p). Meant for κ = 0: it counts every weight. +∞ for n ≤ p.
HyperEstimate fpe(const CountedError&);

}  // namespace gnomon::adaptive
