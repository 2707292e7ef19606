#pragma once

#include "gnomon/decompose/filter.hpp"

namespace gnomon {

// Learners that are linear in y. Formulas are in src/learn/filters/<name>.cpp.
extern const Filter tikhonov;              ///< ridge; kernel ridge with penalty λ αᵀKα
extern const Filter coefficient_tikhonov;  ///< kernel ridge with penalty λ‖α‖²
extern const Filter landweber;             ///< gradient descent on the residual, stopped early
extern const Filter spectral_cutoff;       ///< least squares on the eigendirections with d ≥ λ

}  // namespace gnomon
